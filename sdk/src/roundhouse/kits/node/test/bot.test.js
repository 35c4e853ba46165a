import assert from "node:assert/strict";
import test from "node:test";

import { Greedy } from "../src/bot.js";

const draw = { kind: "drawCard", drawCard: {} };

function claim(routeId, locomotives = 0) {
  return { kind: "claimRoute", claimRoute: { routeId, colour: "CARD_RED", locomotives } };
}

function choose(legalActions) {
  const bot = new Greedy();
  bot.gameStarted({ board: { routes: [{ id: 1, length: 2 }, { id: 2, length: 6 }] } });
  return bot.choose({ legalActions });
}

test("the longest route that can be paid is claimed", () => {
  assert.deepEqual(choose([draw, claim(1), claim(2, 1), claim(2)]), claim(2));
});

test("cards are drawn while no route can be paid", () => {
  assert.deepEqual(choose([{ kind: "drawTickets", drawTickets: {} }, draw]), draw);
});
