"use strict";
// What pages share: rows that are searched, filtered, sorted, unfolded and linked to, and colours. What
// comes from a cluster or a manifest gets into a page as text alone.

const byId = (id) => document.getElementById(id);

// el makes an element; a child that is null is left out.
function el(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
  element.append(...children.filter((child) => child !== null));
  return element;
}
const tiers = ["production", "staging", "development"];
const severities = ["error", "warning", "info"];
const plural = (n, noun) => n.toLocaleString("en") + " " + noun + (n === 1 ? "" : "s");
const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
const distinct = (list) => [...new Set(list)].sort();
const capital = (s) => s.charAt(0).toUpperCase() + s.slice(1);
const sentence = (s) => capital(s) + (/[.!?]$/.test(s) ? "" : ".");
const nameOf = (r) => (r.namespace ? r.namespace + "/" : "") + r.name;
const section = (title, content) => (content.length ? [el("h3", {}, title), ...content] : []);
const fact = (name, ...value) => el("div", {}, el("dt", {}, name), el("dd", {}, ...value));
const linkTo = (r, text) => el("a", { href: "#" + new URLSearchParams({ release: r.id }) }, text);

// chips says in one word each what is found.
const chips = (counts) => [...severities, "waived"].filter((s) => counts[s]).map((s) => el("span", { class: "chip " + s }, s === "waived" ? counts[s] + " waived" : plural(counts[s], s)));

// fold is details whose content is made when they are opened.
function fold(title, content, isOpen) {
  const element = el("details", { class: "more" }, el("summary", {}, title));
  const fill = () => { if (element.open && element.children.length === 1) element.append(...content()); };
  element.addEventListener("toggle", fill);
  element.open = Boolean(isOpen);
  fill();
  return element;
}

// unpack reads what page.Pack has written.
const unpack = (packed) => new Response(new Blob([Uint8Array.from(atob(packed), (c) => c.charCodeAt(0))]).stream().pipeThrough(new DecompressionStream("gzip"))).json();

// listing shows items as rows:
//   items    with index, id, full, namespace, name and cluster
//   filters  by name: values as [value, label], and has, which reports whether an item has a value
//   orders   by column, and sorted, the one at first; that and those in downward begin with the greatest
//   words    says in what is searched, cells and detail what a row shows
//   changed  is called when other items are found
function listing({ items, filters, orders, sorted, downward = [], words, cells, detail, changed = () => {} }) {
  const chunk = 100; // rows made at once
  const names = Object.keys(filters);
  const rows = byId("rows"), form = byId("filters");
  const head = document.querySelectorAll("#table thead th").length;

  // --- state: what is looked for, in which order, what is open; kept in the address

  const state = { q: "", sort: sorted, down: true, release: null };
  for (const name of names) state[name] = null;
  const open = new Set();
  let found = items, shown = 0;

  function readAddress() {
    const given = new URLSearchParams(location.hash.slice(1));
    if (location.hash.length > 1 && !location.hash.includes("=")) return false; // a section
    state.q = given.get("q") || "";
    for (const name of names) state[name] = given.get(name);
    state.release = given.get("release");
    if (state.release !== null) open.add(state.release);
    return true;
  }

  function writeAddress() {
    const given = new URLSearchParams();
    if (state.q) given.set("q", state.q);
    for (const name of [...names, "release"]) if (state[name] !== null) given.set(name, state[name]);
    history.replaceState(null, "", "#" + given);
  }

  const haystack = (r) => r.words || (r.words = [r.full, r.cluster, ...words(r)].join("\n").toLowerCase());

  function search() {
    const wanted = state.q.toLowerCase().split(/\s+/).filter(Boolean);
    const sign = state.down ? -1 : 1;
    found = items.filter((r) => names.every((name) => state[name] === null || filters[name].has(r, state[name])) && wanted.every((word) => haystack(r).includes(word)));
    found.sort((a, b) => sign * orders[state.sort](a, b) || (state.sort === "name" ? sign : 1) * compare(a.full, b.full) || compare(a.cluster, b.cluster));
  }

  // --- rows

  function render() {
    search();
    rows.replaceChildren();
    shown = 0;
    grow(chunk);
    byId("tally").textContent = found.length === items.length ? items.length.toLocaleString("en") : found.length.toLocaleString("en") + " of " + plural(items.length, "release");
    byId("nothing").hidden = found.length > 0;
    byId("table").hidden = found.length === 0;
    changed(found, state, Boolean(state.q) || names.some((name) => state[name] !== null));
    showFilters();
  }

  function grow(by) {
    const part = document.createDocumentFragment();
    for (const r of found.slice(shown, shown + by)) {
      part.append(row(r));
      if (open.has(r.id)) part.append(unfolded(r));
    }
    shown = Math.min(found.length, shown + by);
    rows.append(part);
  }

  function row(r) {
    const isOpen = open.has(r.id);
    const name = el("span", {}, ...(r.namespace ? [el("span", { class: "ns" }, r.namespace + "/")] : []), r.name);
    return el("tr", { class: "row" + (isOpen ? " open" : ""), id: "row-" + r.index },
      el("td", {}, el("button", { type: "button", "aria-expanded": isOpen, "aria-controls": "detail-" + r.index }, name)),
      ...cells(r).map((cell) => el("td", {}, ...[cell].flat())));
  }

  const unfolded = (r) => el("tr", { class: "detail", id: "detail-" + r.index }, el("td", { colspan: head }, ...detail(r)));

  function toggle(element) {
    const r = items[Number(element.id.slice(4))];
    const opening = !open.has(r.id);
    element.classList.toggle("open", opening);
    element.querySelector("button").setAttribute("aria-expanded", opening);
    if (opening) {
      open.add(r.id);
      element.after(unfolded(r));
    } else {
      open.delete(r.id);
      byId("detail-" + r.index).remove();
    }
    if (opening) state.release = r.id;
    else if (state.release === r.id) state.release = null;
    writeAddress();
  }

  // --- filters

  function fillFilters() {
    for (const name of names) {
      const select = form.elements[name], values = filters[name].values;
      for (const [value, label] of values) select.append(el("option", { value: "=" + value }, label));
      select.parentElement.hidden = values.length < 2;
    }
  }

  // showFilters shows the state in the form, the buttons and the head of the table.
  function showFilters() {
    if (form.elements.q.value !== state.q) form.elements.q.value = state.q;
    for (const name of names) {
      form.elements[name].value = state[name] === null ? "" : "=" + state[name];
      form.elements[name].classList.toggle("set", state[name] !== null);
    }
    for (const b of document.querySelectorAll("[data-filter]")) {
      b.setAttribute("aria-pressed", state[b.dataset.filter] === b.dataset.value && (!b.dataset.tier || state.tier === b.dataset.tier));
    }
    for (const b of document.querySelectorAll("[data-sort]")) {
      b.parentElement.setAttribute("aria-sort", b.dataset.sort !== state.sort ? "none" : state.down ? "descending" : "ascending");
    }
  }

  function change() {
    writeAddress();
    render();
  }

  function clear() {
    state.q = "";
    for (const name of names) state[name] = null;
    change();
  }

  // press sets a filter of a summary, or takes it back.
  function press(button) {
    const on = button.getAttribute("aria-pressed") !== "true";
    state[button.dataset.filter] = on ? button.dataset.value : null;
    if (button.dataset.tier) state.tier = on ? button.dataset.tier : null;
    change();
    if (on) byId(form.dataset.top).scrollIntoView({ block: "start" });
  }

  // --- theme

  const themes = { "": ["◐", "Auto"], light: ["☀", "Light"], dark: ["☾", "Dark"] };

  function theme(name) {
    document.documentElement.dataset.theme = name;
    const [sign, label] = themes[name];
    byId("theme").replaceChildren(el("span", { "aria-hidden": true }, sign + " "), el("span", { class: "hidden" }, "Colours: "), label);
  }

  function remembered(name) {
    try { // a page from a file may have no storage
      if (name === undefined) return localStorage.getItem("flux-remedy-theme") || "";
      localStorage.setItem("flux-remedy-theme", name);
    } catch { /* then it is not remembered */ }
    return name || "";
  }

  // --- keyboard

  function move(by) {
    const buttons = [...rows.querySelectorAll(".row button")];
    const at = buttons.indexOf(document.activeElement);
    if (at < 0 && by < 0) return;
    if (at + by >= buttons.length) grow(chunk);
    const next = at + by < 0 ? form.elements.q : rows.querySelectorAll(".row button")[at + by];
    if (next) next.focus();
  }

  function key(event) {
    const inSearch = event.target === form.elements.q;
    const inRow = Boolean(event.target.closest && event.target.closest(".row"));
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) form.elements.q.focus();
    else if (event.key === "ArrowDown" && (inSearch || inRow)) move(1);
    else if (event.key === "ArrowUp" && inRow) move(-1);
    else if (event.key === "Escape" && inRow) form.elements.q.focus();
    else if (event.key === "Escape" && inSearch) form.elements.q.blur();
    else return;
    event.preventDefault();
  }

  // --- start

  function arrive() {
    if (!readAddress()) return;
    render();
    if (state.release === null) return;
    let at = found.findIndex((r) => r.id === state.release);
    const linked = items.find((r) => r.id === state.release);
    if (!linked) return;
    if (at < 0) {
      for (const name of names) state[name] = null;
      state.q = "";
      render();
      at = found.indexOf(linked);
    }
    if (at >= shown) grow(at + 1 - shown);
    const element = byId("row-" + linked.index);
    element.scrollIntoView({ block: "start" });
    element.querySelector("button").focus({ preventScroll: true });
  }

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", (event) => { event.preventDefault(); clear(); });
  form.addEventListener("input", (event) => {
    const { name, value } = event.target;
    state[name] = name === "q" ? value : value === "" ? null : value.slice(1);
    change();
  });
  rows.addEventListener("click", (event) => {
    const element = event.target.closest(".row");
    if (element && !String(getSelection())) toggle(element);
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button && button.dataset.filter) press(button);
    if (button && button.dataset.sort) {
      state.down = state.sort === button.dataset.sort ? !state.down : [sorted, ...downward].includes(button.dataset.sort);
      state.sort = button.dataset.sort;
      render();
    }
  });
  byId("clear").addEventListener("click", clear);
  byId("theme").addEventListener("click", () => {
    const all = Object.keys(themes);
    const next = all[(all.indexOf(document.documentElement.dataset.theme) + 1) % all.length];
    remembered(next);
    theme(next);
  });
  document.addEventListener("keydown", key);
  addEventListener("hashchange", arrive);
  addEventListener("beforeprint", () => grow(found.length));
  new IntersectionObserver((seen) => { if (seen.some((s) => s.isIntersecting) && shown < found.length) grow(chunk); }, { rootMargin: "800px" }).observe(byId("more"));

  document.documentElement.classList.add("scripted");
  theme(remembered());
  fillFilters();
  render();
  arrive();
}
