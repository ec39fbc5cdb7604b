"use strict";
// Shows only the groups that hold a release of some name, and what they do.
(() => {
  const input = document.getElementById("search");
  const groups = [...document.querySelectorAll(".group")].map((element) => ({
    element, id: element.id.slice("group-".length), fold: element.querySelector("details"),
    names: element.querySelector(".names").textContent.toLowerCase(),
  }));
  const cards = [...document.querySelectorAll("[data-groups]")];

  function show() {
    const wanted = input.value.trim().toLowerCase();
    const found = new Set();
    for (const g of groups) {
      g.element.hidden = !g.names.includes(wanted);
      if (g.fold) g.fold.open = Boolean(wanted) && !g.element.hidden;
      if (!g.element.hidden) found.add(g.id);
    }
    for (const card of cards) card.hidden = !card.dataset.groups.split(" ").some((id) => found.has(id));
    for (const section of document.querySelectorAll("section[id]")) section.hidden = !section.querySelector("[data-groups]:not([hidden])");
    document.getElementById("tally").textContent = wanted ? found.size + " of " + groups.length + " groups" : "";
  }

  function unfold() {
    const target = document.getElementById(location.hash.slice(1));
    const fold = target && target.querySelector(":scope > details");
    if (fold) fold.open = true;
  }

  input.closest("[hidden]").hidden = false;
  input.addEventListener("input", show);
  addEventListener("hashchange", unfold);
  unfold();
})();
