// The rows of releases, made of the data in the page, and what each unfolds to.
unpack(JSON.parse(byId("data").textContent)).then((data) => {
  const now = Date.parse(data.time);
  const label = (r) => (r.cluster ? r.cluster + ": " : "") + nameOf(r);

  const causeOf = new Map();
  (data.causes || []).forEach((cause, i) => { for (const name of cause.releases) causeOf.set(name, i); });

  const releases = data.releases.map((given, index) => {
    const r = { cluster: "", why: [], drift: [], rivals: [], ...given, index };
    r.full = nameOf(r);
    r.id = r.cluster + "/" + r.full;
    r.cause = causeOf.get(label(r));
    r.counts = { error: 0, warning: 0, info: 0, waived: 0 };
    for (const f of r.findings) r.counts[f.waived ? "waived" : f.severity]++;
    r.seconds = r.since ? Math.max(0, (now - Date.parse(r.since)) / 1000) : -1;
    return r;
  });

  // ageOf returns the number of the column of the chart that a release is in; -1 if it is in none.
  function ageOf(r) {
    if (r.seconds < 0 || r.phase === "ready") return -1;
    const i = data.ages.findIndex((bound) => r.seconds < bound);
    return i < 0 ? data.ages.length : i;
  }

  // lasts returns a duration in its two greatest units.
  function lasts(seconds) {
    const units = [["d", 86400], ["h", 3600], ["m", 60], ["s", 1]];
    const i = Math.max(0, units.findIndex(([, size]) => seconds >= size));
    if (seconds < 1) return "0s";
    const [unit, size] = units[i], [small, less] = units[i + 1] || ["", 0];
    const rest = less ? Math.floor((seconds % size) / less) : 0;
    return Math.floor(seconds / size) + unit + (rest ? " " + rest + small : "");
  }

  const utc = (time) => time.replace("T", " ").replace("Z", " UTC");

  const cells = (r) => [
    r.cluster || "–", r.tier, [el("span", { class: "dot " + r.phase }), r.phase],
    r.seconds < 0 ? el("span", { class: "soft" }, "–") : el("span", { title: utc(r.since) }, lasts(r.seconds)),
  ];

  function detail(r) {
    const notes = [
      r.limit ? "Stuck: " + r.limit : "", r.pending ? "Helm has it as " + r.pending : "",
      r.notInGit ? "It is not in the repository" : "", r.rivals.length ? "It has the same Helm release as " + r.rivals.map(nameOf).join(", ") + ": each undoes what the others do" : "",
    ].filter(Boolean);
    return [
      el("p", { class: "state" }, r.full + " is " + r.state),
      ...notes.map((note) => el("p", {}, sentence(note))),
      r.why.length || r.next.length ? el("dl", { class: "said" }, ...(r.why.length ? r.why : r.next.map((text, i) => ({ label: i ? "" : "next", text }))).flatMap(said)) : null,
      facts(r),
      ...section("Not as Git says", r.drift.length ? [el("ul", { class: "plain" }, ...r.drift.map((d) => el("li", {}, drift(d))))] : []),
      ...section("Findings", r.findings.map(finding)),
    ].filter((part) => part !== null);
  }

  const said = (line) => [el("dt", {}, line.label || ""), line.effect ? el("dd", {}, el("code", {}, line.text), el("small", {}, line.effect)) : el("dd", {}, line.text)];

  function facts(r) {
    const all = [["Chart", r.chart], ["Source", r.source], ["Applied by", r.appliedBy], ["Failed attempts", r.failures], ["Class", r.class]];
    return el("dl", { class: "facts" }, ...all.filter(([, value]) => value).map(([name, value]) => fact(name, String(value))), fact("Share", linkTo(r, "link to this release")));
  }

  function drift(d) {
    const is = d.cluster ? d.cluster : d.git ? "not set" : "set on the cluster";
    return d.path + ": " + is + (d.git ? ", Git says " + d.git : "");
  }

  function finding(f) {
    return el("article", { class: "finding " + f.severity + (f.waived ? " waived" : "") },
      el("div", { class: "head" }, el("span", { class: "chip " + f.severity }, f.waived ? "waived" : f.severity), el("b", {}, f.rule), f.path ? el("code", { class: "soft" }, f.path) : null),
      el("p", {}, sentence(f.message)));
  }

  const plain = (list) => list.map((v) => [v, v]);
  const by = (get) => (a, b) => compare(get(a), get(b));
  byId("reading").remove();
  listing({
    items: releases, cells, detail, sorted: "phase", downward: ["since"],
    words: (r) => [r.tier, r.phase, r.state, r.after || "", r.chart || "", r.source || "", r.appliedBy || "", ...r.findings.map((f) => f.rule)],
    orders: { name: () => 0, cluster: by((r) => r.cluster), tier: by((r) => tiers.indexOf(r.tier)), phase: (a, b) => b.index - a.index, since: by((r) => r.seconds) },
    filters: {
      cluster: { values: plain(distinct(releases.map((r) => r.cluster))), has: (r, v) => r.cluster === v },
      tier: { values: plain(tiers.filter((t) => releases.some((r) => r.tier === t))), has: (r, v) => r.tier === v },
      phase: { values: plain(data.phases.filter((p) => releases.some((r) => r.phase === p))), has: (r, v) => r.phase === v },
      age: { values: [...document.querySelectorAll(".age")].map((b) => [b.dataset.value, b.querySelector("span").textContent]), has: (r, v) => ageOf(r) === Number(v) },
      severity: { values: plain(severities), has: (r, v) => r.counts[v] > 0 },
      rule: { values: plain(distinct(releases.flatMap((r) => r.findings.map((f) => f.rule)))), has: (r, v) => r.findings.some((f) => f.rule === v) },
      cause: { values: [...document.querySelectorAll("[data-filter=cause]")].map((b) => [b.dataset.value, b.textContent]), has: (r, v) => r.cause === Number(v) },
    },
  });
});
