// Plain asserts, without a test framework: a test that fails ends the program and says its line.
#undef NDEBUG
#include <cassert>
#include <iostream>

#include "bot.hpp"

using roundhouse::Action;
using roundhouse::Decision;

void add_route(roundhouse::GameStarted& game, unsigned id, unsigned length) {
  auto* route = game.mutable_board()->add_routes();
  route->set_id(id);
  route->set_length(length);
}

Greedy seated() {
  roundhouse::GameStarted game;
  add_route(game, 1, 2);
  add_route(game, 2, 6);
  Greedy bot;
  bot.game_started(game);
  return bot;
}

void offer_claim(Decision& decision, unsigned route, unsigned locomotives) {
  auto* claim = decision.add_legal_actions()->mutable_claim_route();
  claim->set_route_id(route);
  claim->set_locomotives(locomotives);
}

void the_longest_route_that_can_be_paid_is_claimed() {
  Decision decision;
  decision.add_legal_actions()->mutable_draw_card();
  offer_claim(decision, 1, 0);
  offer_claim(decision, 2, 1);
  offer_claim(decision, 2, 0);
  const Action action = seated().choose(decision);
  assert(action.claim_route().route_id() == 2);
  assert(action.claim_route().locomotives() == 0);
}

void cards_are_drawn_while_no_route_can_be_paid() {
  Decision decision;
  decision.add_legal_actions()->mutable_draw_tickets();
  decision.add_legal_actions()->mutable_draw_card();
  assert(seated().choose(decision).has_draw_card());
}

int main() {
  the_longest_route_that_can_be_paid_is_claimed();
  cards_are_drawn_while_no_route_can_be_paid();
  std::cout << "2 tests passed" << std::endl;
}
