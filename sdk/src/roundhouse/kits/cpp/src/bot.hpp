#pragma once

#include <random>
#include <unordered_map>
#include <vector>

#include "roundhouse.hpp"

/// Claims the longest route that it can pay, and draws cards until it can. Make it think.
class Greedy : public roundhouse::Bot {
 public:
  void game_started(const roundhouse::GameStarted& game) override {
    for (const auto& route : game.board().routes()) {
      lengths_[route.id()] = static_cast<int>(route.length());
    }
  }

  roundhouse::Action choose(const roundhouse::Decision& decision) override {
    const roundhouse::Action* best = nullptr;
    std::vector<const roundhouse::Action*> draws;
    for (const auto& action : decision.legal_actions()) {
      if (action.has_claim_route() && (best == nullptr || worth(action) > worth(*best))) {
        best = &action;
      }
      if (action.has_take_card() || action.has_draw_card()) {
        draws.push_back(&action);
      }
    }
    if (best != nullptr) {
      return *best;
    }
    if (!draws.empty()) {
      return *draws[random_() % draws.size()];
    }
    return decision.legal_actions(static_cast<int>(random_() % decision.legal_actions_size()));
  }

 private:
  /// Long routes before short ones, and locomotives are saved.
  int worth(const roundhouse::Action& action) const {
    const auto& claim = action.claim_route();
    return 10 * lengths_.at(claim.route_id()) - static_cast<int>(claim.locomotives());
  }

  std::unordered_map<unsigned, int> lengths_;
  std::mt19937 random_{std::random_device{}()};
};
