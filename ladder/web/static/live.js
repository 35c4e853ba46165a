// Renews the changing part of a tournament's page while it is being played.
"use strict";
(() => {
  const live = document.getElementById("live");
  const renew = async () => {
    try {
      const answer = await fetch(live.dataset.url);
      if (answer.ok) live.innerHTML = await answer.text();
    } catch {
      // The ladder is not there at the moment; the next try may find it.
    }
    if (live.querySelector("[data-finished=yes]")) return;
    setTimeout(renew, 2000);
  };
  setTimeout(renew, 2000);
})();
