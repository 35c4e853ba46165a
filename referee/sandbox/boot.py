"""The program of a Python interpreter that is started before its bot is known.

It runs inside a sandbox, from the staged runtime, and imports nothing of the referee's. It imports
what every bot with the SDK needs, says so, and waits for one order on its standard input. Then it
becomes what ``python3 SCRIPT`` or ``python3 -m MODULE`` would be: the same ``__main__``, arguments,
path, folder, environment, empty standard input, tracebacks and exit codes. What still tells the two
apart: ``/proc/self/cmdline`` and ``/proc/self/environ``, which the kernel keeps from the start.
"""

from __future__ import annotations


def main() -> None:
    """Warm up, wait, and become the bot."""
    # All imports are local: the names of this module make room for the bot's.
    import builtins  # noqa: PLC0415
    import json  # noqa: PLC0415
    import os  # noqa: PLC0415
    import sys  # noqa: PLC0415
    from importlib.machinery import BuiltinImporter, SourceFileLoader  # noqa: PLC0415

    import roundhouse.client  # noqa: F401, PLC0415 - gRPC, protobuf and the rules come with it

    known = sorted({name.partition(".")[0] for name in sys.modules})
    os.write(0, json.dumps(known).encode() + b"\n")
    text = b""
    while chunk := os.read(0, 65536):
        text += chunk
    if not text:  # nobody needs us any more
        return
    order = json.loads(text)
    os.write(0, b"begun\n")
    nothing = os.open("/dev/null", os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.environ.update(order["environment"])
    arguments: list[str] = order["arguments"]
    sys.orig_argv[:] = ["python3", *arguments]

    namespace = sys.modules["__main__"].__dict__
    namespace.clear()
    namespace.update(
        __name__="__main__",
        __doc__=None,
        __package__=None,
        __loader__=BuiltinImporter,
        __spec__=None,
        __annotations__={},
        __builtins__=builtins,
    )
    try:
        if arguments[0] == "-m":
            import runpy  # noqa: PLC0415

            sys.argv[:] = ["-m", *arguments[2:]]
            sys.path[0] = os.getcwd()  # noqa: PTH109 - as the interpreter does it
            # What the interpreter itself calls for -m.
            runpy._run_module_as_main(arguments[1])  # type: ignore[attr-defined]  # noqa: SLF001
            return
        sys.argv[:] = arguments
        path = os.path.abspath(arguments[0])  # noqa: PTH100 - as the interpreter does it
        sys.path[0] = os.path.dirname(path)  # noqa: PTH120 - as above
        loader = SourceFileLoader("__main__", path)
        namespace.update(__loader__=loader, __file__=path, __cached__=None)
        code = compile(loader.get_data(path), path, "exec", dont_inherit=True)
        exec(code, namespace)  # noqa: S102 - the bot, in its sandbox
    except (SystemExit, KeyboardInterrupt):
        raise
    except BaseException as error:  # noqa: BLE001 - whatever it is, it is told as it always is
        trace = error.__traceback__
        assert trace is not None
        # Without our own frame, which the bot's author could not make sense of.
        sys.excepthook(type(error), error.with_traceback(trace.tb_next), trace.tb_next)
    else:
        return
    sys.exit(1)


if __name__ == "__main__":
    main()
