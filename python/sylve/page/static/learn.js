// Learn: one simulation at a time. Descent, playout and update; alpha-beta is in walk.js.

import { button, byId, el, labelled } from "./dom.js";
import { app, keepAddress, problem } from "./main.js";
import { percent, short } from "./numbers.js";
import { gameFields } from "./play.js";
import { colour, reason, t } from "./words.js";
import { showWalk } from "./walk.js";

const SEARCHES = ["flat", "ucb", "uct", "flat_amaf", "amaf_uct", "rave", "rave(schedule=hand)", "rave(schedule=bias)", "rave(schedule=slides)", "rave(schedule=course)", "rave(schedule=fixed)", "rave(schedule=mse)", "grave", "alpha_beta(3)"];
const PARTS = ["descent", "playout", "update"];
const DOCUMENTS = { flat: "001", ucb: "003", uct: "000", flat_amaf: "000", amaf_uct: "000", rave: "002", grave: "002", alpha_beta: "004" };
const FIELDS = ["name", "visits", "mean", "amafVisits", "amaf", "beta", "exploration", "score", "proven", "formula", "betaFormula", "code"];
const WAIT = 700; // milliseconds between simulations that run by themselves
const SHOWN = 60; // rows of the update that are in the document
let step = null, asked = 0, row = null, timer = null, waiting = false, scenes = 0;

export const active = () => false;
const alone = () => step?.kind === "alpha_beta";

export function render(panel) {
  const { state } = app;
  const set = (change) => { Object.assign(state, change); row = null; show(); };
  const number = (id, key, label, most) => labelled(label, el("input", { id, type: "number", min: "1", max: String(most), value: String(state[key]), on: { change: (event) => set({ [key]: Math.max(1, Math.min(most, Math.floor(Number(event.target.value)) || 1)) }) } }));
  panel.append(
    el("div", { class: "card" },
      gameFields({ k: 1, depth: 0, ply: 0 }),
      el("datalist", { id: "lessons" }, ...SEARCHES.map((name) => el("option", { value: name }))),
      el("div", { class: "grid2" },
        labelled(t("search"), el("input", { id: "how", value: state.how, list: "lessons", maxlength: "400", spellcheck: "false", on: { change: (event) => set({ how: event.target.value.trim() || "uct", k: 1, depth: 0, ply: 0 }) } })),
        number("seed", "seed", t("seed"), 1e9), number("k", "k", t("simulation"), 20_000)),
      el("input", { id: "slider", type: "range", min: "1", max: "1000", value: String(state.k), "aria-label": t("simulation"), on: { input: (event) => set({ k: Number(event.target.value) }) } }),
      el("div", { class: "row" },
        button("«", () => set({ k: 1 }), { id: "k-first", "aria-label": t("begin") }), button("‹", () => move(-1), { id: "k-back", "aria-label": t("step_back") }),
        button("›", () => move(1), { id: "k-on", class: "primary", "aria-label": t("step_on") }), button(t("run"), run, { id: "run" }), el("span", { id: "k-note", class: "note" })),
      el("p", { id: "document", class: "note" })),
    el("div", { id: "learned" }), el("div", { id: "walk" }));
  step = null;
}

/** Ask for the simulation; the last answer that was asked for is shown. */
function show() {
  const { state } = app;
  keepAddress();
  if (!app.line.open || !app.view) return;
  if (app.view.outcome) { byId("learned").replaceChildren(el("p", { class: "note", text: t("over") })); return; }
  const number = ++asked;
  waiting = true;
  app.line.ask("learn", { ...app.place(), how: state.how, seed: state.seed, simulation: Math.max(1, Math.min(20_000, Math.floor(state.k))) }).then((found) => {
    if (number !== asked || app.state.mode !== "learn") return;
    waiting = false;
    problem(null);
    step = found;
    draw();
  }, (error) => { if (number === asked) { waiting = false; stop(); if (error.code !== "offline") problem(error); } });
}

function draw() {
  const { state } = app;
  state.k = step.simulation;
  keepAddress();
  const most = step.last ?? step.most ?? 20_000;
  const slider = byId("slider");
  // A slider of a few hundred is precise; it grows with the place at hand.
  slider.max = String(step.last ?? Math.min(most, Math.max(1000, 2 * state.k)));
  slider.value = String(state.k);
  if (document.activeElement !== byId("k")) byId("k").value = String(state.k); // somebody may be typing
  byId("k-note").textContent = alone() ? t("of_events", { last: step.last }) : step.last ? t("proven_after", { last: step.last }) : "";
  const name = state.how.split("(")[0];
  byId("document").textContent = DOCUMENTS[name] ? t("document", { number: DOCUMENTS[name] }) : "";
  byId("learned").replaceChildren();
  byId("walk").replaceChildren();
  if (alone()) {
    byId("walk").append(showWalk(step));
    return scene(100_000, () => {}, t("event_of", { at: state.k, all: step.last }));
  }
  for (const node of step.nodes) node.list ??= node.rows.map((given) => Object.fromEntries(FIELDS.map((field, k) => [field, given[k]])));
  if (!PARTS.includes(state.part)) state.part = "descent";
  const tabs = el("div", { class: "row parts", role: "group", "aria-label": t("parts") }, ...PARTS.map((part) => button(t(part), () => choose(part), { id: "part-" + part, "aria-pressed": String(part === state.part) })));
  byId("learned").append(el("div", { class: "card" }, el("h2", { text: t("simulation_of", { k: step.simulation, search: step.search }) }), tabs, ...{ descent, playout, update }[state.part]()));
}

function choose(part) {
  const { state } = app;
  state.part = part;
  if (part !== "descent") row = null;
  draw();
  byId("part-" + part)?.focus();
}

/** The position after so many moves of the simulation; `mark` puts marks on it. */
async function scene(ply, mark, words) {
  const number = ++scenes;
  try {
    const view = await app.line.ask("scene", { simulation: step.simulation, ply });
    if (number !== scenes || app.state.mode !== "learn") return;
    app.board.show(view, false);
    app.board.setHeat(null);
    app.board.setRings([]);
    mark(view);
    byId("status").textContent = words;
  } catch (error) { if (error.code !== "offline" && error.code !== "gone") problem(error); }
}

const player = (number) => colour(app.view.players[number]);

function descent() {
  const { state } = app;
  state.depth = Math.min(Math.max(0, Math.floor(state.depth)), step.nodes.length - 1);
  const node = step.nodes[state.depth];
  const at = node.list.find((one) => one.name === row) ?? node.list[0];
  const has = (name) => node.list.some((one) => one[name]); // a column of zeros tells nothing
  const columns = [["visits", short], ["mean", percent], ["amaf", percent], ["beta", figure], ["exploration", figure], ["score", figure]].filter(([name]) => has(name));
  scene(state.depth, (view) => {
    // Where moves are arrows, more than a few hide each other.
    const arrows = view.moves.some((one) => one.from !== null && one.to !== null);
    const scores = new Map(node.list.filter((one) => one.score !== null).slice(0, arrows ? 4 : 12).map((one) => [one.name, one.score]));
    app.board.setHeat({ values: view.moves.map((one) => scores.get(one.name) ?? null), number: "score" });
    app.board.setRings(node.chosen === null ? [] : [[node.chosen, "best"]]);
  }, t("node_status", { who: player(node.turn), path: step.path.slice(0, state.depth).join(" ") || t("root") }));
  const rows = node.list.map((one) => el("tr", { class: one.name === node.chosen ? "chosen" : "" },
    el("td", {}, button(one.name, () => { row = one.name; draw(); }, { "aria-pressed": String(one === at) })),
    ...columns.map(([name, text]) => el("td", { text: text(one[name]) }))));
  return [
    el("div", { class: "row", role: "group", "aria-label": t("path") }, ...step.nodes.map((one, depth) => button(depth ? step.path[depth - 1] : t("root"), () => { state.depth = depth; row = null; draw(); byId("node-" + depth)?.focus(); }, { id: "node-" + depth, "aria-pressed": String(depth === state.depth) }))),
    el("p", { id: "why", text: `${node.chosen ?? ""}${node.chosen ? ": " : ""}${reason(node.why)}.` }),
    el("p", { class: "note", text: [t("node_visits", { visits: node.visits }), node.new ? t("node_new") : "", node.lender === null ? "" : t("lender", { node: node.lender ? step.path[node.lender - 1] : t("root") }), t("ended_" + step.ended.split(" ")[0])].filter(Boolean).join(" ") }),
    el("p", { id: "formula", class: "formula" }, el("strong", { text: at.name + " " }), reason(at.formula), at.betaFormula ? el("br") : "", at.betaFormula ? "β = " + at.betaFormula : "", el("br"), el("span", { class: "note", text: t("code", { code: at.code }) + (at.amafVisits ? " · " + t("amaf_visits", { visits: at.amafVisits }) : "") })),
    el("div", { class: "scroll tall" }, el("table", { class: "data" }, el("thead", {}, el("tr", {}, el("th", { text: t("move") }), ...columns.map(([name]) => el("th", { text: t(name) })))), el("tbody", {}, ...rows))),
    node.more ? el("p", { class: "note", text: t("more_moves", { more: node.more }) }) : null,
    el("h2", { text: t("tree") }), tree(0)];
}

/** The descent in the tree: at each node the moves with the most visits; the way down is lit. */
function tree(depth) {
  const node = step.nodes[depth];
  if (!node) return el("ul", { class: "tree" });
  const most = [...node.list].sort((a, b) => b.visits - a.visits).slice(0, 4);
  const chosen = node.list.find((one) => one.name === node.chosen);
  if (chosen && !most.includes(chosen)) most[most.length - 1] = chosen;
  return el("ul", { class: "tree" }, ...most.map((one) => {
    const lit = one.name === node.chosen;
    const item = el("li", { class: lit ? "lit" : "" }, el("span", { text: `${one.name} · ${short(one.visits)}${one.mean === null ? "" : " · " + percent(one.mean) + " %"}` }));
    if (lit && depth + 1 < step.nodes.length) item.append(tree(depth + 1));
    return item;
  }));
}

const figure = (value) => (value === null ? "" : String(Number(value.toPrecision(4))));

function playout() {
  const { state } = app;
  const moves = step.playout;
  state.ply = Math.min(Math.max(0, Math.floor(state.ply)), moves.length);
  const words = step.estimate !== null ? t("estimated", { value: percent(step.estimate), who: player(0) }) : step.winner === null ? t("draw") : t("won", { who: player(step.winner) });
  const last = state.ply ? moves[state.ply - 1] : null;
  scene(step.path.length + state.ply, () => {}, state.ply === moves.length ? words : last ? t("played", { who: last[2] === null ? "" : player(last[2]), move: last[0] ?? last[1] }) : t("playout_begins"));
  const go = (ply, focus) => { state.ply = ply; draw(); byId(focus)?.focus(); };
  return [
    el("p", { text: moves.length ? t(step.estimate === null ? "playout_of" : "playout_cut", { plies: moves.length, result: words }) : t("ended_" + step.ended.split(" ")[0]) + " " + words }),
    el("input", { id: "ply", type: "range", min: "0", max: String(moves.length), value: String(state.ply), "aria-label": t("ply"), on: { input: (event) => go(Number(event.target.value), "ply") } }),
    el("ol", { class: "list", "aria-label": t("playout") }, ...moves.map(([name, code, who], k) => el("li", {}, button(`${name ?? "·"} `, () => go(k + 1, "move-" + k), { id: "move-" + k, class: k + 1 === state.ply ? "here" : "", title: t("code", { code }) + (who === null ? "" : " · " + player(who)) })))),
    last ? el("p", { class: "note", text: `${last[0] ?? ""} · ${t("code", { code: last[1] })}` }) : null];
}

function update() {
  const codes = step.nodes.map((node) => new Map(node.list.map((one) => [one.name, one.code])));
  const names = step.nodes.map((node) => new Map(node.list.map((one) => [one.code, one.name])));
  const named = (node, name, code) => name ?? names[node ?? 0]?.get(code) ?? "–";
  scene(0, (view) => {
    const legal = new Set(view.moves.map((one) => one.name));
    const rings = step.changes.filter(([, node]) => node === 0).map(([kind, node, name, code]) => [named(node, name, code), kind === "direct" ? "best" : "reply"]);
    app.board.setRings(rings.filter(([name]) => legal.has(name)).sort(([, a]) => (a === "best" ? 1 : -1)));
  }, t("update_status", { changes: step.changes.length + step.more_changes }));
  const order = { direct: 0, weighted: 1, implicit: 2, amaf: 3, code: 4, mast: 5 };
  const all = [...step.changes].sort((a, b) => order[a[0]] - order[b[0]] || (a[1] ?? -1) - (b[1] ?? -1));
  const where = (node) => (node === null ? t("everywhere") : node ? step.path[node - 1] : t("root"));
  const mean = (tally) => (tally.length === 1 ? percent(tally[0]) : tally.length > 2 ? (tally[0] ? percent((tally[1] + tally[2] / 2 + tally[3] / 65536) / tally[0]) : "–") : tally[0] ? percent(tally[1] / tally[0]) : "–");
  const part = (tally) => tally.slice(0, tally[3] ? 4 : 3).map((value) => figure(value)).join("/");
  const rows = all.slice(0, SHOWN).map(([kind, node, name, code, band, before, after]) => el("tr", {},
    el("td", { text: where(node) }), el("td", { text: t("kind_" + kind) + (band ? ` ${band + 1}` : "") }), el("td", { text: named(node, name, code) }), el("td", { text: String(code ?? codes[node]?.get(name) ?? "") }),
    el("td", { text: part(before) }), el("td", { text: part(after) }), el("td", { text: `${mean(before)} → ${mean(after)}` })));
  const more = all.length + step.more_changes - rows.length;
  return [
    el("p", { class: "note", text: t("update_note") }),
    el("div", { class: "scroll tall" }, el("table", { class: "data", id: "changes" }, el("thead", {}, el("tr", {}, ...["node", "tally", "move", "code_column", "was", "is", "mean"].map((name) => el("th", { text: t(name) })))), el("tbody", {}, ...rows))),
    more > 0 ? el("p", { class: "note", text: t("more_changes", { more }) }) : null,
    ...step.proofs.map(([node, name, result]) => el("p", { text: t("proved", { node: where(node), move: name, result: t("proof_" + result) }) }))];
}

function move(by) {
  const next = Math.max(1, Math.min(app.state.k + by, step?.last ?? step?.most ?? 20_000));
  if (next === app.state.k) return stop();
  app.state.k = next;
  row = null;
  show();
}
/** One after the other, until somebody stops it. */
function run() {
  if (timer) return stop();
  timer = setInterval(() => { if (!waiting) move(1); }, WAIT);
  byId("run").textContent = t("pause");
}
function stop() {
  clearInterval(timer);
  timer = null;
  if (byId("run")) byId("run").textContent = t("run");
}

export function moved() { row = null; show(); }
export function leave() { stop(); asked += 1; scenes += 1; app.line.tell("stop", { what: "learn" }); }
export const back = () => { if (app.view) show(); };
export function key(name) {
  const { state } = app;
  if (name === "f") move(1);
  else if (name === "b") move(-1);
  else if (name === "r") run();
  else if (name === "Escape") stop();
  else if (!step || alone()) return;
  else if ("123".includes(name)) choose(PARTS[Number(name) - 1]);
  else if (name === "+" || name === "-") {
    const by = name === "+" ? 1 : -1;
    if (state.part === "descent") { state.depth += by; row = null; } else if (state.part === "playout") state.ply += by;
    draw();
  }
}
