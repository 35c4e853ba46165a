#pragma once

#include "roundhouse/api/referee/v1/play.pb.h"

namespace roundhouse {

using api::game::v1::Action;
using api::referee::v1::Decision;
using api::referee::v1::GameOver;
using api::referee::v1::GameStarted;

/// A bot: one object plays all games of a lane, one after another, always in the same seat.
class Bot {
 public:
  virtual ~Bot() = default;

  /// A game starts.
  virtual void game_started(const GameStarted&) {}

  /// Return one of the decision's legal actions, as it is.
  virtual Action choose(const Decision& decision) = 0;

  /// A game has ended.
  virtual void game_over(const GameOver&) {}
};

/// Play all games of the lane under the referee that started this process; return the exit code.
///
/// It is 0 after the referee's goodbye or a forfeit, 2 without a referee to dial, 3 when it refuses
/// or goes away; one sentence on stderr says why. What the bot throws is not caught.
int serve(Bot& bot);

}  // namespace roundhouse
