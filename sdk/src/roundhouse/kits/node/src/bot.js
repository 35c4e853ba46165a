/** Claims the longest route that it can pay, and draws cards until it can. Make it think. */
export class Greedy {
  /** A game starts: `rules`, `board`, `seat`, `seats` and more, as in play.proto. */
  gameStarted({ board }) {
    this.lengths = new Map(board.routes.map((route) => [route.id, route.length]));
  }

  /** Return one of `legalActions`. `observation`, all that this seat may know, is there as well. */
  choose({ legalActions }) {
    const claims = legalActions.filter((action) => action.kind === "claimRoute");
    if (claims.length > 0) {
      return claims.reduce((best, claim) => (this.worth(claim) > this.worth(best) ? claim : best));
    }
    const draws = legalActions.filter(({ kind }) => kind === "takeCard" || kind === "drawCard");
    const choice = draws.length > 0 ? draws : legalActions;
    return choice[Math.floor(Math.random() * choice.length)];
  }

  /** Long routes before short ones, and locomotives are saved. */
  worth({ claimRoute }) {
    return 10 * this.lengths.get(claimRoute.routeId) - claimRoute.locomotives;
  }
}
