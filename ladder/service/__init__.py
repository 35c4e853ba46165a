"""The gRPC edge: messages in, store and submission called, messages out. No rule stands here."""
