"use strict";
// What is found by place, and the rows of releases, made of the data in the page. What a manifest says gets
// into the page as text alone.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const text = (i) => data.texts[i];
  data.places = data.places.map(([file, line, what]) => ({ file: text(file), line, what: text(what) }));
  data.findings = data.findings.map((f) => ({ setBy: [], ...data.kinds[f.kind], ...f }));
  const byId = (id) => document.getElementById(id);
  const tiers = ["production", "staging", "development"];
  const classes = ["violating", "unknown", "bounded", "retry"]; // the worst first
  const severities = ["error", "warning", "info"];
  const filters = ["cluster", "tier", "class", "severity", "rule"];
  const chunk = 100; // rows made at once
  const fewBlocks = 10, moreBlocks = 50; // blocks made at first, and when more are asked for

  // el makes an element; a child that is null is left out.
  function el(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
    element.append(...children.filter((child) => child !== null));
    return element;
  }
  const nameOf = (r) => (r.namespace ? r.namespace + "/" : "") + r.name;
  const place = (p, column) => p.file + (p.line ? ":" + p.line + (column ? ":" + column : "") : "");
  const plural = (n, noun) => n.toLocaleString("en") + " " + noun + (n === 1 ? "" : "s");

  // --- releases, with what is asked of them often

  const releases = data.releases.map((given, index) => {
    const release = { decided: [], findings: [], reasons: [], ...data.standings[given.standing], ...given };
    const rank = (f) => (f.waived ? severities.length : severities.indexOf(f.severity));
    const findings = release.findings.map((i) => ({ ...data.findings[i], index: i, severity: data.findings[i].severity[release.tier] })).sort((a, b) => rank(a) - rank(b));
    const counts = { error: 0, warning: 0, info: 0, waived: 0 };
    for (const f of findings) counts[f.waived ? "waived" : f.severity]++;
    const full = nameOf(release);
    return { ...release, index, findings, counts, full, id: release.id || release.cluster + "/" + full };
  });

  const weight = (r) => [r.counts.error, r.counts.warning, r.counts.info, -classes.indexOf(r.class)];
  const order = {
    name: () => 0,
    cluster: (a, b) => compare(a.cluster, b.cluster),
    tier: (a, b) => tiers.indexOf(a.tier) - tiers.indexOf(b.tier),
    class: (a, b) => classes.indexOf(a.class) - classes.indexOf(b.class),
    findings: (a, b) => {
      const x = weight(a), y = weight(b);
      for (let i = 0; i < x.length; i++) if (x[i] !== y[i]) return x[i] - y[i];
      return 0;
    },
  };
  const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

  function haystack(r) {
    if (!r.words) {
      const places = r.findings.map((f) => data.places[f.place].file);
      const said = r.findings.flatMap((f) => [f.rule, text(f.message), text(f.path)]);
      r.words = [r.full, r.cluster, r.tier, r.class, data.places[r.place].file, ...places, ...said].join("\n").toLowerCase();
    }
    return r.words;
  }

  // --- state: what is looked for, in which order, what is open; kept in the address

  const state = { q: "", cluster: null, tier: null, class: null, severity: null, rule: null, sort: "findings", down: true, release: null };
  const open = new Set();
  let found = releases, shown = 0;

  function readAddress() {
    const given = new URLSearchParams(location.hash.slice(1));
    if (location.hash.length > 1 && !location.hash.includes("=")) return false; // a section
    state.q = given.get("q") || "";
    for (const name of filters) state[name] = given.get(name);
    state.release = given.get("release");
    if (state.release !== null) open.add(state.release);
    return true;
  }

  function writeAddress() {
    const given = new URLSearchParams();
    if (state.q) given.set("q", state.q);
    for (const name of [...filters, "release"]) if (state[name] !== null) given.set(name, state[name]);
    history.replaceState(null, "", "#" + given);
  }

  function matches(r, words) {
    return (state.cluster === null || r.cluster === state.cluster) && (state.tier === null || r.tier === state.tier) &&
      (state.class === null || r.class === state.class) &&
      (state.severity === null || (state.severity === "none" ? r.findings.length === 0 : r.counts[state.severity] > 0)) &&
      (state.rule === null || r.findings.some((f) => f.rule === state.rule)) &&
      words.every((word) => haystack(r).includes(word));
  }

  function search() {
    const words = state.q.toLowerCase().split(/\s+/).filter(Boolean);
    const sign = state.down ? -1 : 1;
    found = releases.filter((r) => matches(r, words));
    found.sort((a, b) => sign * order[state.sort](a, b) || (state.sort === "name" ? sign : 1) * compare(a.full, b.full) || compare(a.cluster, b.cluster));
  }

  // --- rows

  const rows = byId("rows");

  function render() {
    search();
    rows.replaceChildren();
    shown = 0;
    grow(chunk);
    const all = plural(releases.length, "release");
    byId("tally").textContent = found.length === releases.length ? releases.length.toLocaleString("en") : found.length.toLocaleString("en") + " of " + all;
    byId("nothing").hidden = found.length > 0;
    byId("table").hidden = found.length === 0;
    renderBlocks();
    showFilters();
  }

  function grow(by) {
    const part = document.createDocumentFragment();
    for (const r of found.slice(shown, shown + by)) {
      part.append(row(r));
      if (open.has(r.id)) part.append(detail(r));
    }
    shown = Math.min(found.length, shown + by);
    rows.append(part);
  }

  function row(r) {
    const isOpen = open.has(r.id);
    const name = el("span", {}, ...(r.namespace ? [el("span", { class: "ns" }, r.namespace + "/")] : []), r.name);
    const chips = [...severities, "waived"].filter((s) => r.counts[s]).map((s) => el("span", { class: "chip " + s }, s === "waived" ? r.counts[s] + " waived" : plural(r.counts[s], s)));
    return el("tr", { class: "row" + (isOpen ? " open" : ""), id: "row-" + r.index },
      el("td", {}, el("button", { type: "button", "aria-expanded": isOpen, "aria-controls": "detail-" + r.index }, name)),
      el("td", {}, r.cluster || "none known"), el("td", {}, r.tier),
      el("td", {}, el("span", { class: "dot " + r.class }), r.class),
      el("td", {}, ...(chips.length ? chips : [el("span", { class: "soft" }, "none")])));
  }

  function toggle(element) {
    const r = releases[Number(element.id.slice(4))];
    const opening = !open.has(r.id);
    element.classList.toggle("open", opening);
    element.querySelector("button").setAttribute("aria-expanded", opening);
    if (opening) {
      open.add(r.id);
      element.after(detail(r));
    } else {
      open.delete(r.id);
      byId("detail-" + r.index).remove();
    }
    if (opening) state.release = r.id;
    else if (state.release === r.id) state.release = null;
    writeAddress();
  }

  // --- what is found, by place

  const blocks = byId("blocks");
  let listed = [], made = 0;

  // concerned lists the releases of a block, once for each cluster.
  function concerned(b) {
    const all = new Set(b.all);
    return releases.filter((r) => r.findings.some((f) => all.has(f.index)));
  }

  // findBlocks keeps the blocks that concern a release that is found.
  function findBlocks() {
    const reached = new Set();
    for (const r of found) for (const f of r.findings) if (!f.waived) reached.add(f.index);
    const narrowed = state.q || filters.some((name) => state[name] !== null);
    listed = data.blocks.filter((b) => (state.rule === null || b.rule === state.rule) &&
      (state.severity === null || b.severity === state.severity) && (!narrowed || b.all.some((i) => reached.has(i))));
  }

  function renderBlocks() {
    findBlocks();
    blocks.replaceChildren();
    made = 0;
    growBlocks(fewBlocks);
    const all = plural(data.blocks.length, "place");
    byId("places-tally").textContent = listed.length === data.blocks.length ? "" : listed.length.toLocaleString("en") + " of " + all;
    byId("no-blocks").hidden = listed.length > 0;
  }

  function growBlocks(by) {
    blocks.append(...listed.slice(made, made + by).map((b, i) => block(b, made + i === 0, joinedTo(b, listed[made + i - 1]))));
    made = Math.min(listed.length, made + by);
    const left = listed.length - made;
    byId("more-blocks").hidden = left === 0;
    byId("more-blocks").textContent = "Show " + Math.min(left, moreBlocks) + " of " + left.toLocaleString("en") + " more";
  }

  // joinedTo reports whether a block is edited in the same documents as the one that is shown before.
  const joinedTo = (b, before) => b.joined && before === data.blocks[data.blocks.indexOf(b) - 1];

  // block shows causes that say the same. What is behind it is made when it is unfolded.
  function block(b, first, joined) {
    const f = { ...data.findings[b.shown], severity: b.severity };
    const at = data.places[b.place];
    const title = text(b.title), happens = sentence(text(b.happens));
    return el("article", { class: "block finding " + b.severity + (joined ? " joined" : "") },
      el("h3", {}, title),
      el("div", { class: "head" }, el("span", { class: "chip " + b.severity }, b.severity), b.milder ? el("span", { class: "soft" }, b.milder) : null, el("code", {}, place(at, b.column)),
        b.releases ? el("span", { class: "soft" }, plural(b.releases, "release")) : null),
      source(f, data.places[f.place]),
      title === text(b.happens) ? null : el("p", {}, happens),
      b.help < 0 ? null : el("p", {}, el("b", {}, "What to do: "), ...flags(sentence(text(b.help)))),
      b.write < 0 ? null : el("pre", { class: "write", tabindex: 0, "aria-label": "YAML to write" }, el("ins", {}, text(b.write))),
      el("div", { class: "folds" },
      f.timeline < 0 ? null : fold("Forecast", () => timeline(f.timeline, concerned(b)[0]), first),
      b.elsewhere.length ? fold(capital(b.label) + " " + plural(b.elsewhere.length, "place"), () => [el("ul", { class: "list" }, ...b.elsewhere.map(further))]) : null,
      b.releases ? fold(b.releases === 1 ? "1 release" : plural(b.releases, "release"), () => [links(concerned(b))]) : null,
      f.setBy.length ? fold("Set by", () => [el("ol", { class: "chain" }, ...f.setBy.map(writer))]) : null,
      data.rules[b.rule] ? fold("About the rule " + b.rule, () => about(b.rule)) : null));
  }

  // timeline gives a drawing or, of those that the page has no room for, how it ends.
  function timeline(number, r) {
    const drawn = byId("timeline-" + number);
    if (drawn) return [drawn.content.cloneNode(true)];
    const [scenario, end] = data.ends[number - document.querySelectorAll("template").length].map(text);
    const name = r && /^[a-z0-9.\/-]+$/.test(r.full) ? r.full : "NAME"; // what a shell reads as it stands
    return [el("p", {}, sentence(end)),
      el("p", { class: "soft" }, "Not drawn here. To draw it: ", el("code", {}, "flux-remedy forecast --release " + name + " --scenario " + scenario))];
  }

  // flags keeps those of a command in one line.
  const flags = (s) => s.split(/(--[a-z=,-]+)/).map((part, i) => (i % 2 ? el("code", { class: "flag" }, part) : part));

  const capital = (s) => s.charAt(0).toUpperCase() + s.slice(1);

  // fold is details whose content is made when they are opened.
  function fold(title, content, isOpen) {
    const element = el("details", { class: "more" }, el("summary", {}, title));
    const fill = () => { if (element.open && element.children.length === 1) element.append(...content()); };
    element.addEventListener("toggle", fill);
    element.open = Boolean(isOpen);
    fill();
    return element;
  }

  function further(i) {
    const p = data.places[i];
    return el("li", {}, el("code", {}, place(p)), el("span", { class: "soft" }, p.what || ""));
  }

  // links names releases; cluster and tier where these differ in the report.
  function links(of) {
    const told = ["cluster", "tier"].filter((name) => new Set(releases.map((r) => r[name])).size > 1);
    const link = (r) => el("li", {}, el("a", { href: "#" + new URLSearchParams({ release: r.id }) }, r.full), " ", el("span", { class: "soft" }, told.map((name) => r[name]).filter(Boolean).join(", ")));
    return el("ul", { class: "names" }, ...of.map(link));
  }

  // about gives what the rule says of itself; code and paragraphs are all of its Markdown.
  function about(id) {
    const inline = (line) => line.split("`").map((part, i) => (i % 2 ? el("code", {}, part) : part));
    return [...data.rules[id].about.trim().split(/\n\s*\n/).map((p) => el("p", {}, ...inline(p))),
      el("p", { class: "soft" }, "More: ", el("code", {}, "flux-remedy rules " + id))];
  }

  // --- one release

  function detail(r) {
    return el("tr", { class: "detail", id: "detail-" + r.index }, el("td", { colspan: 5 },
      facts(r),
      ...r.reasons.map((i) => el("p", { class: "notice" }, "Undetermined: " + text(i))),
      ...section("Findings", r.findings.map(finding)),
      ...section("Forecast", forecasts(r)),
      r.findings.some((f) => f.timeline >= 0) ? el("small", { class: "soft" }, "Upper lane: install, upgrade, test. Lower lane: rollback, uninstall, unlock. Red failed, green went well, amber was interrupted.") : null,
      ...decided(r)));
  }

  const section = (title, content) => (content.length ? [el("h3", {}, title), ...content] : []);
  const fact = (name, ...value) => el("div", {}, el("dt", {}, name), el("dd", {}, ...value));

  function facts(r) {
    const link = el("a", { href: "#" + new URLSearchParams({ release: r.id }) }, "link to this release");
    return el("dl", { class: "facts" },
      fact("Written in", el("code", {}, place(data.places[r.place]))),
      fact("Tier", r.tier + (text(r.tierFrom) ? ", from " + text(r.tierFrom) : "")),
      fact("Class", r.class + ": " + byId("class-" + r.class).textContent),
      fact("Share", link));
  }

  function finding(f) {
    const at = data.places[f.place];
    return el("article", { class: "finding " + f.severity + (f.waived ? " waived" : "") },
      el("div", { class: "head" }, el("span", { class: "chip " + f.severity }, f.severity), el("b", {}, f.rule), el("code", { class: "soft" }, place(at, f.column))),
      el("p", {}, sentence(text(f.message))),
      source(f, at),
      f.exact ? null : el("p", { class: "soft" }, el("code", {}, text(f.path)), " is not set."),
      f.setBy.length ? el("ol", { class: "chain", "aria-label": "Set by" }, ...f.setBy.map(writer)) : null,
      f.fix ? repair(f.fix) : null,
      f.waived ? el("p", {}, el("span", { class: "chip" }, "waived"), " until " + f.waived.until + ": " + f.waived.reason + (f.waived.owner ? " (ask " + f.waived.owner + ")" : "")) : null);
  }

  const sentence = (s) => s.charAt(0).toUpperCase() + s.slice(1) + (/[.!?]$/.test(s) ? "" : ".");

  function source(f, at) {
    if (f.source < 0) return null;
    const number = String(at.line), line = text(f.source).trimStart();
    const caret = number.length + 2 + Math.max(0, f.caret - (text(f.source).length - line.length));
    return el("pre", { tabindex: 0, "aria-label": "Line " + number }, el("span", { class: "no" }, number + "  "), line + "\n" + " ".repeat(caret), el("mark", {}, f.exact || !text(f.path) ? "^" : "^ " + text(f.path) + " is not set"));
  }

  function writer(i) {
    const p = data.places[i];
    return el("li", {}, el("span", {}, "set by " + (p.what || "the release itself")), el("code", { class: "soft" }, place(p)));
  }

  function repair(fix) {
    const value = (v) => (typeof v === "string" ? v : JSON.stringify(v));
    const edits = fix.set.map((e) => (e.value === null ? el("del", {}, e.path) : el("ins", {}, e.path + ": " + value(e.value))));
    return el("div", { class: "repair" }, el("span", { class: "soft" }, fix.safe ? "Fix" : "Fix, if the old behaviour is not wanted"),
      el("pre", { tabindex: 0, "aria-label": "Fields to change" }, ...edits.flatMap((e, i) => (i ? ["\n", e] : [e]))));
  }

  // forecasts gives each timeline of a release once, and the rules that it shows.
  function forecasts(r) {
    const shows = new Map();
    for (const f of r.findings) if (f.timeline >= 0) shows.set(f.timeline, new Set([...(shows.get(f.timeline) || []), f.rule]));
    return [...shows].map(([number, rules]) => {
      return el("div", {}, ...timeline(number, r), el("small", { class: "soft" }, "Shows " + [...rules].join(", ")));
    });
  }

  function decided(r) {
    if (!r.decided.length) return [];
    const lines = r.decided.map(([path, at]) => {
      const p = data.places[at];
      return el("tr", {}, el("td", {}, el("code", {}, text(path))), el("td", {}, p.what || "the release itself"), el("td", {}, el("code", { class: "soft" }, place(p))));
    });
    return [el("h3", {}, "Decided by"), el("table", { class: "decided" }, el("tbody", {}, ...lines))];
  }

  // --- filters

  const form = byId("filters");

  function options(name, values) {
    const select = form.elements[name];
    for (const [value, label] of values) select.append(el("option", { value: "=" + value }, label));
    select.parentElement.hidden = values.length < 2;
  }

  function fillFilters() {
    const distinct = (list) => [...new Set(list)].sort();
    const plain = (list) => list.map((v) => [v, v]);
    options("cluster", distinct(releases.map((r) => r.cluster)).map((c) => [c, c || "none known"]));
    options("tier", plain(tiers.filter((t) => releases.some((r) => r.tier === t))));
    options("class", plain(classes.filter((c) => releases.some((r) => r.class === c))));
    options("severity", [...plain(severities), ["waived", "waived"], ["none", "nothing found"]]);
    options("rule", plain(distinct(data.findings.map((f) => f.rule))));
  }

  // showFilters shows the state in the form, the buttons and the head of the table.
  function showFilters() {
    if (form.elements.q.value !== state.q) form.elements.q.value = state.q;
    for (const name of filters) {
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

  function changed() {
    writeAddress();
    render();
  }

  function clear() {
    state.q = "";
    for (const name of filters) state[name] = null;
    changed();
  }

  // press sets a filter of a summary, or takes it back.
  function press(button) {
    const on = button.getAttribute("aria-pressed") !== "true";
    state[button.dataset.filter] = on ? button.dataset.value : null;
    if (button.dataset.tier) state.tier = on ? button.dataset.tier : null;
    changed();
    if (on) byId("places").scrollIntoView({ block: "start" });
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
    const linked = releases.find((r) => r.id === state.release);
    if (!linked) return;
    if (at < 0) {
      for (const name of filters) state[name] = null;
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
    changed();
  });
  rows.addEventListener("click", (event) => {
    const element = event.target.closest(".row");
    if (element && !String(getSelection())) toggle(element);
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button && button.dataset.filter) press(button);
    if (button && button.dataset.sort) {
      state.down = state.sort === button.dataset.sort ? !state.down : button.dataset.sort === "findings";
      state.sort = button.dataset.sort;
      render();
    }
  });
  byId("clear").addEventListener("click", clear);
  byId("more-blocks").addEventListener("click", () => {
    const next = made;
    growBlocks(moreBlocks);
    const summary = blocks.children[next].querySelector("summary");
    if (summary) summary.focus();
  });
  byId("theme").addEventListener("click", () => {
    const names = Object.keys(themes);
    const next = names[(names.indexOf(document.documentElement.dataset.theme) + 1) % names.length];
    remembered(next);
    theme(next);
  });
  document.addEventListener("keydown", key);
  addEventListener("hashchange", arrive);
  addEventListener("beforeprint", () => {
    grow(found.length);
    growBlocks(listed.length);
    for (const element of blocks.querySelectorAll(".more")) element.open = true;
  });
  new IntersectionObserver((seen) => { if (seen.some((s) => s.isIntersecting) && shown < found.length) grow(chunk); }, { rootMargin: "800px" }).observe(byId("more"));

  byId("found").replaceChildren(...flags(byId("found").textContent));
  document.documentElement.classList.add("scripted");
  theme(remembered());
  fillFilters();
  render();
  arrive();
})();
