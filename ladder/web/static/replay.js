// Steps through a replay. The page works without it, by links; this makes it quick and playable.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("frames").textContent);
  const frames = data.frames;
  const $ = (id) => document.getElementById(id);
  const last = frames.length - 1;
  let step = Number($("slider").value);
  let timer = null;

  const card = (colour, text) => {
    const span = document.createElement("span");
    span.className = `card ${colour || "empty"}`;
    span.textContent = text;
    span.title = colour ? `${text} ${colour}`.trim() : "empty slot";
    return span;
  };

  const marketTicket = (id) => {
    const span = document.createElement("span");
    span.className = id === null ? "ticket empty" : "ticket";
    span.textContent = id === null ? "" : data.tickets[id];
    if (id === null) span.title = "empty slot";
    return span;
  };

  const drawRoutes = (frame) => {
    // claims: [route, seat, step], in order; what was claimed later is not drawn.
    for (const [route, seat, at] of data.claims) {
      const path = $(`route-${route}`);
      const claimed = at <= step;
      path.classList.toggle("claimed", claimed);
      path.classList.toggle("fresh", frame.route === route);
      path.style.stroke = claimed ? `var(--seat-${seat})` : path.dataset.colour;
    }
  };

  const drawPlayer = (player, seat, frame) => {
    $(`player-${seat}`).classList.toggle("turn", frame.seat === seat);
    $(`points-${seat}`).textContent = player.points;
    $(`trains-${seat}`).textContent = player.trains;
    $(`hand-${seat}`).replaceChildren(...player.hand.map(([colour, count]) => card(colour, count)));
    $(`tickets-${seat}`).replaceChildren(...player.tickets.map(([id, mark]) => {
      const item = document.createElement("li");
      item.textContent = data.tickets[id];
      item.className = mark;
      return item;
    }));
  };

  const draw = () => {
    const frame = frames[step];
    drawRoutes(frame);
    frame.players.forEach((player, seat) => drawPlayer(player, seat, frame));
    $("caption").textContent = frame.caption;
    $("count").textContent = `${step + 1} / ${frames.length}`;
    $("dot").style.background = frame.seat === null ? "transparent" : `var(--seat-${frame.seat})`;
    $("display").replaceChildren(...frame.display.map((colour) => card(colour, "")));
    $("deck").textContent = frame.deck;
    $("discard").textContent = frame.discard;
    $("ticket-deck").textContent = frame.ticket_deck;
    // Only games with a ticket market have the place for it.
    if ($("market")) $("market").replaceChildren(...frame.market.map(marketTicket));
    $("slider").value = step;
    history.replaceState(null, "", `?step=${step}`);
  };

  const go = (to) => {
    step = Math.max(0, Math.min(last, to));
    draw();
  };
  const nextTurn = () => {
    const at = frames.findIndex((frame, i) => i > step && frame.turn > frames[step].turn);
    return at < 0 ? last : at;
  };
  const previousTurn = () => {
    // The first frame of the turn before, so that stepping back and forth meets the same frames.
    let at = step;
    while (at > 0 && frames[at].turn >= frames[step].turn) at -= 1;
    while (at > 0 && frames[at - 1].turn === frames[at].turn) at -= 1;
    return at;
  };
  const stop = () => {
    clearInterval(timer);
    timer = null;
    $("play").textContent = "▶";
  };
  const play = () => {
    if (timer !== null) { stop(); return; }
    if (step === last) go(0);
    $("play").textContent = "⏸";
    timer = setInterval(() => { if (step === last) stop(); else go(step + 1); }, 350);
  };

  const moves = {
    first: () => 0, "back-turn": previousTurn, back: () => step - 1,
    next: () => step + 1, "next-turn": nextTurn, last: () => last,
  };
  for (const [id, target] of Object.entries(moves)) {
    $(id).addEventListener("click", (event) => { event.preventDefault(); stop(); go(target()); });
  }
  const keys = {
    Home: "first", PageUp: "back-turn", ArrowLeft: "back",
    ArrowRight: "next", PageDown: "next-turn", End: "last",
  };
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.tagName === "INPUT") return;
    if (event.key === " " && event.target.tagName !== "BUTTON") { event.preventDefault(); play(); }
    if (keys[event.key]) { event.preventDefault(); stop(); go(moves[keys[event.key]]()); }
  });
  $("play").addEventListener("click", play);
  $("slider").addEventListener("input", () => { stop(); go(Number($("slider").value)); });
  $("play").hidden = false;
  $("slider").hidden = false;
})();
