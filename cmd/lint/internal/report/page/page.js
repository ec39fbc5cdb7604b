// What is found by place, and the rows of releases, made of the data in the page.
unpack(JSON.parse(byId("data").textContent)).then((data) => {
  data.findings = data.findings.map((f) => ({ provenance: [], ...f }));
  const classes = ["violating", "unknown", "bounded", "retry"]; // the worst first
  const fewBlocks = 10, moreBlocks = 50; // blocks made at first, and when more are asked for

  const place = (p, column) => p.file + (p.line ? ":" + p.line + (column ? ":" + column : "") : "");

  // --- releases, with what is asked of them often

  const releases = data.releases.map((given, index) => {
    const release = { decidedBy: {}, ...given };
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

  function words(r) {
    const said = r.findings.flatMap((f) => [f.rule, f.message, f.path, f.file]);
    return [r.tier, r.class, r.file, ...said];
  }

  const cells = (r) => {
    const found = chips(r.counts);
    return [r.cluster || "none known", r.tier, [el("span", { class: "dot " + r.class }), r.class], found.length ? found : el("span", { class: "soft" }, "none")];
  };

  // --- what is found, by place

  const blocks = byId("blocks");
  let listed = [], made = 0;

  // concerned lists the releases of a block, once for each cluster.
  function concerned(b) {
    const all = new Set(b.all);
    return releases.filter((r) => r.findings.some((f) => all.has(f.index)));
  }

  // renderBlocks shows the blocks that concern a release that is found.
  function renderBlocks(found, state, narrowed) {
    const reached = new Set();
    for (const r of found) for (const f of r.findings) if (!f.waived) reached.add(f.index);
    listed = data.blocks.filter((b) => (state.rule === null || b.rule === state.rule) &&
      (state.severity === null || b.severity === state.severity) && (!narrowed || b.all.some((i) => reached.has(i))));
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
    return el("article", { class: "block finding " + b.severity + (joined ? " joined" : "") },
      el("h3", {}, b.title),
      el("div", { class: "head" }, el("span", { class: "chip " + b.severity }, b.severity), b.milder ? el("span", { class: "soft" }, b.milder) : null, el("code", {}, place(b.place, b.column)),
        b.releases ? el("span", { class: "soft" }, plural(b.releases, "release")) : null),
      source(f),
      b.title === b.happens ? null : el("p", {}, sentence(b.happens)),
      b.holdsUp ? el("p", {}, el("b", {}, "Holds up: "), sentence(b.holdsUp)) : null,
      el("p", {}, el("b", {}, "What to do: "), ...flags(sentence(b.help))),
      b.write ? el("pre", { class: "write", tabindex: 0, "aria-label": "YAML to write" }, el("ins", {}, b.write)) : null,
      el("div", { class: "folds" },
      f.timeline < 0 ? null : fold("Forecast", () => timeline(f.timeline, concerned(b)[0]), first),
      b.elsewhere.length ? fold(capital(b.label) + " " + plural(b.elsewhere.length, "place"), () => [el("ul", { class: "list" }, ...b.elsewhere.map(further))]) : null,
      b.releases ? fold(b.releases === 1 ? "1 release" : plural(b.releases, "release"), () => [links(concerned(b))]) : null,
      f.provenance.length ? fold("Set by", () => [el("ol", { class: "chain" }, ...f.provenance.map(writer))]) : null,
      data.rules[b.rule] ? fold("About the rule " + b.rule, () => about(b.rule)) : null));
  }

  // timeline gives a drawing or, of those that the page has no room for, how it ends.
  function timeline(number, r) {
    const drawn = byId("timeline-" + number);
    if (drawn) return [drawn.content.cloneNode(true)];
    const [scenario, end] = data.ends[number - document.querySelectorAll("template").length];
    const name = r && /^[a-z0-9.\/-]+$/.test(r.full) ? r.full : "NAME"; // what a shell reads as it stands
    return [el("p", {}, sentence(end)),
      el("p", { class: "soft" }, "Not drawn here. To draw it: ", el("code", {}, "flux-remedy forecast --release " + name + " --scenario " + scenario))];
  }

  // flags keeps those of a command in one line.
  const flags = (s) => s.split(/(--[a-z=,-]+)/).map((part, i) => (i % 2 ? el("code", { class: "flag" }, part) : part));

  function further(p) {
    return el("li", {}, el("code", {}, place(p)), el("span", { class: "soft" }, p.what || ""));
  }

  // links names releases; cluster and tier where these differ in the report.
  function links(of) {
    const told = ["cluster", "tier"].filter((name) => new Set(releases.map((r) => r[name])).size > 1);
    const link = (r) => el("li", {}, linkTo(r, r.full), " ", el("span", { class: "soft" }, told.map((name) => r[name]).filter(Boolean).join(", ")));
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
    return [
      facts(r),
      ...r.reasons.map((reason) => el("p", { class: "notice" }, "Undetermined: " + reason)),
      ...section("Findings", r.findings.map(finding)),
      ...section("Forecast", forecasts(r)),
      r.findings.some((f) => f.timeline >= 0) ? el("small", { class: "soft" }, "Upper lane: install, upgrade, test. Lower lane: rollback, uninstall, unlock. Red failed, green went well, amber was interrupted.") : null,
      ...decided(r)].filter((part) => part !== null);
  }

  function facts(r) {
    return el("dl", { class: "facts" },
      fact("Written in", el("code", {}, place(r))),
      fact("Tier", r.tier + (r.tierFrom ? ", from " + r.tierFrom : "")),
      fact("Class", r.class + ": " + byId("class-" + r.class).textContent),
      fact("Share", linkTo(r, "link to this release")));
  }

  function finding(f) {
    return el("article", { class: "finding " + f.severity + (f.waived ? " waived" : "") },
      el("div", { class: "head" }, el("span", { class: "chip " + f.severity }, f.severity), el("b", {}, f.rule), el("code", { class: "soft" }, place(f, f.column))),
      el("p", {}, sentence(f.message)),
      source(f),
      f.exact ? null : el("p", { class: "soft" }, el("code", {}, f.path), " is not set."),
      f.provenance.length ? el("ol", { class: "chain", "aria-label": "Set by" }, ...f.provenance.map(writer)) : null,
      f.fix ? repair(f.fix) : null,
      f.waived ? el("p", {}, el("span", { class: "chip" }, "waived"), " until " + f.waived.until + ": " + f.waived.reason + (f.waived.owner ? " (ask " + f.waived.owner + ")" : "")) : null);
  }

  function source(f) {
    if (!f.excerpt) return null;
    const number = String(f.line), line = f.excerpt.trimStart();
    const caret = number.length + 2 + Math.max(0, f.caret - (f.excerpt.length - line.length));
    return el("pre", { tabindex: 0, "aria-label": "Line " + number }, el("span", { class: "no" }, number + "  "), line + "\n" + " ".repeat(caret), el("mark", {}, f.exact || !f.path ? "^" : "^ " + f.path + " is not set"));
  }

  function writer(p) {
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
    const settings = Object.entries(r.decidedBy);
    if (!settings.length) return [];
    const lines = settings.map(([path, p]) => {
      return el("tr", {}, el("td", {}, el("code", {}, path)), el("td", {}, p.what || "the release itself"), el("td", {}, el("code", { class: "soft" }, place(p))));
    });
    return [el("h3", {}, "Decided by"), el("table", { class: "decided" }, el("tbody", {}, ...lines))];
  }

  byId("more-blocks").addEventListener("click", () => {
    const next = made;
    growBlocks(moreBlocks);
    const summary = blocks.children[next].querySelector("summary");
    if (summary) summary.focus();
  });
  addEventListener("beforeprint", () => {
    growBlocks(listed.length);
    for (const element of blocks.querySelectorAll(".more")) element.open = true;
  });

  byId("found").replaceChildren(...flags(byId("found").textContent));
  const plain = (list) => list.map((v) => [v, v]);
  listing({
    items: releases, orders: order, sorted: "findings", words, cells, detail, changed: renderBlocks,
    filters: {
      cluster: { values: distinct(releases.map((r) => r.cluster)).map((c) => [c, c || "none known"]), has: (r, v) => r.cluster === v },
      tier: { values: plain(tiers.filter((t) => releases.some((r) => r.tier === t))), has: (r, v) => r.tier === v },
      class: { values: plain(classes.filter((c) => releases.some((r) => r.class === c))), has: (r, v) => r.class === v },
      severity: { values: [...plain(severities), ["waived", "waived"], ["none", "nothing found"]], has: (r, v) => (v === "none" ? r.findings.length === 0 : r.counts[v] > 0) },
      rule: { values: plain(distinct(data.findings.map((f) => f.rule))), has: (r, v) => r.findings.some((f) => f.rule === v) },
    },
  });
});
