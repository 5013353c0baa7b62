// Analyse: one or two searches of the position, live.

import { curve } from "./chart.js";
import { button, byId, el, labelled, select } from "./dom.js";
import { app, keepAddress, problem } from "./main.js";
import { bytes, heatColour, percent, short } from "./numbers.js";
import { gameFields } from "./play.js";
import { TreeView } from "./tree.js";
import { t } from "./words.js";

const FIELDS = ["move", "name", "visits", "mean", "error", "amafVisits", "amaf", "beta", "exploration", "score", "proven"];
const found = [null, null];
const values = [[], []];
const trees = [null, null];
let exact = null, shown = true, pointed = {};

export const active = () => app.view.outcome === null;

export function render(panel) {
  const { state, offers } = app;
  const how = (key, id, label) => labelled(label, el("input", { id, value: state[key], list: "searches", maxlength: "400", spellcheck: "false", on: { change: (event) => { state[key] = event.target.value.trim() || (key === "how" ? "uct" : ""); begin(); } } }));
  const whole = (id, most, least = 1) => labelled(t(id), el("input", { id, type: "number", min: String(least), max: String(most), value: String(state[id]), on: { change: (event) => { state[id] = Math.max(least, Math.min(most, Math.floor(Number(event.target.value)) || state[id])); begin(); } } }));
  const numbers = [...offers.numbers, "exact"];
  panel.append(
    el("div", { class: "card" }, gameFields(),
      el("datalist", { id: "searches" }, ...offers.searches.map((name) => el("option", { value: name }))),
      el("div", { class: "grid2" }, how("how", "how", t("search")), how("how2", "how2", t("second_search")),
        labelled(t("number"), select(numbers.map((name) => [name, t(name)]), state.number, (value) => colours(value), { id: "number" })),
        whole("seed", 1e9), whole("playouts", 50_000_000), whole("threads", offers.threads), whole("memory", offers.memory, 2)),
      el("div", { class: "row" }, button(t("start"), toggle, { id: "start", class: "primary" }), button(t("deeper"), deeper, { id: "deeper" }), button(t("solve"), solve, { id: "solve" }))),
    el("p", { id: "exact", class: "note", hidden: true }),
    el("div", { id: "result0", class: "card result" }, el("p", { class: "note", text: t("nothing_yet") })), el("div", { id: "result1", class: "card result", hidden: true }));
  app.line.on("report", heard);
  app.line.on("solve", solved);
  found.fill(null);
}

const running = () => found.some((report) => report?.running);

function begin() {
  keepAddress();
  app.line.tell("stop", { what: "slot0" });
  app.line.tell("stop", { what: "slot1" });
  [0, 1].forEach((slot) => { found[slot] = null; values[slot] = []; byId("result" + slot)?.replaceChildren(); });
  byId("result1").hidden = !app.state.how2;
  if (app.view.outcome) return byId("result0").append(el("p", { class: "note", text: t("over") }));
  start(0, app.state.how);
  if (app.state.how2) start(1, app.state.how2);
}

function start(slot, how) {
  const { state, offers } = app;
  const number = state.number === "exact" ? "visits" : state.number;
  const within = (value, most, least = 1) => Math.max(least, Math.min(most, Math.floor(value)));
  problem(null);
  app.line.ask("analyse", { ...app.place(), slot, how, number, seed: state.seed, playouts: within(state.playouts, 50_000_000), threads: within(state.threads, offers.threads), memory: within(state.memory, offers.memory, 2) }).catch(problem);
}

function toggle() {
  const live = [0, 1].filter((slot) => found[slot]);
  if (!live.length) return begin();
  if (running()) live.forEach((slot) => app.line.tell("pause", { slot }));
  else live.forEach((slot) => app.line.tell("resume", { slot, playouts: found[slot].playouts >= found[slot].target ? found[slot].target : 0 }));
}
function deeper() {
  [0, 1].filter((slot) => found[slot]).forEach((slot) => app.line.tell("resume", { slot, playouts: found[slot].target }));
}
function colours(number) {
  app.state.number = number;
  keepAddress();
  if (number !== "exact") [0, 1].filter((slot) => found[slot]).forEach((slot) => app.line.tell("number", { slot, number }));
  else if (!exact && active()) solve();
  paint();
}
function solve() {
  exact = null;
  app.line.ask("solve", { ...app.place(), seconds: 10 }).then(solved, problem);
}
function solved(message) {
  if (message.error) return problem(message.error);
  if (app.state.mode !== "analyse") return;
  exact = message;
  const place = byId("exact");
  place.hidden = false;
  place.textContent = message.value === null ? (message.done ? t("unsolved") : "…") : t("exact_value", { value: message.value > 0 ? "+" + message.value : message.value });
  if (app.state.number === "exact") paint();
}

function heard(report) {
  if (app.state.mode !== "analyse") return;
  if (report.error) return problem(report.error);
  report.list = report.rows.map((row) => Object.fromEntries(FIELDS.map((name, k) => [name, row[k]])));
  found[report.slot] = report;
  const best = report.list[0];
  if (best?.mean !== null && values[report.slot].length < 600) values[report.slot].push(best.mean);
  table(report);
  if (report.slot === 0) paint();
  byId("start").textContent = running() ? t("pause") : t("start");
}

function paint() {
  const { number } = app.state;
  const legend = byId("legend");
  const all = number === "exact" ? exact?.values : found[0]?.number === number ? found[0].heat : null;
  const known = (all ?? []).filter((value) => value !== null);
  legend.hidden = !shown || !known.length;
  app.board.setHeat(!shown || !known.length ? null : { values: all, number, total: found[0]?.playouts });
  if (legend.hidden) return;
  const part = number === "mean" || number === "amaf" || number === "beta";
  const text = (value) => (number === "exact" ? value : number === "visits" ? short(value) : number === "exploration" ? value.toFixed(3) : percent(value, 0));
  const bar = el("span", { class: "scale", "aria-hidden": "true" });
  for (let k = 0; k < 9; k += 1) { const step = el("span"); step.style.background = heatColour(k / 8); bar.append(step); }
  const low = number === "exact" ? Math.min(...known) : 0, high = part ? 1 : Math.max(...known);
  legend.replaceChildren(el("span", { text: t(number) }), el("span", { text: text(low) }), bar, el("span", { text: text(high) }));
}

/** Why the best move is the best, and why another one may have a higher mean. */
function why(report) {
  const [best, ...others] = report.list;
  if (best.proven) return t("why_proven", { best: best.name, result: t(best.proven === "draw" ? "why_draw" : best.proven) });
  const parts = [t("why_visits", { best: best.name, visits: short(best.visits), playouts: short(report.playouts) })];
  const other = others.filter((row) => row.mean !== null && row.mean > best.mean).sort((a, b) => b.mean - a.mean)[0];
  if (other) parts.push(t("why_mean", { other: other.name, high: percent(other.mean), low: percent(best.mean), visits: short(other.visits) }));
  else if (best.mean !== null) parts.push(t("why_best_mean", { mean: percent(best.mean) }));
  return parts.join(" ");
}

/** The move and the answer that the search expects: the next move only, or the board is hidden. */
async function point(slot, row) {
  const known = pointed.name === row.name && pointed.slot === slot && performance.now() - pointed.at < 1000;
  app.board.setRings([[row.name, "best"], ...(known && pointed.reply ? [[pointed.reply, "reply"]] : [])]);
  try {
    if (!known) {
      pointed = { slot, name: row.name, at: performance.now(), reply: null };
      const { nodes } = await app.line.ask("tree", { slot, paths: [[row.move]], top: 1 });
      pointed.reply = nodes[0]?.children[0]?.[1] ?? null;
    }
    if (!pointed.reply || app.board.rings[0]?.[0] !== row.name) return;
    app.board.setRings([[row.name, "best"], [pointed.reply, "reply"]]);
    byId("then" + slot).textContent = `${row.name}: ${t("then", { move: pointed.reply })}`;
  } catch { /* the search has ended */ }
}
function unpoint(slot) {
  app.board.setRings([]);
  if (byId("then" + slot)) byId("then" + slot).textContent = "\u00a0";
}

function table(report) {
  const { slot } = report;
  const card = byId("result" + slot);
  if (!byId("figures" + slot)) {
    trees[slot] = new TreeView(slot);
    card.replaceChildren(el("div", { id: "figures" + slot }), el("p", { id: "then" + slot, class: "note", text: "\u00a0" }), trees[slot].box);
  }
  card.dataset.running = String(report.running);
  const has = (name) => report.list.some((row) => row[name] !== null);
  const columns = [["visits", short], ["mean", percent], ...(has("error") ? [["error", percent]] : []), ...(has("amaf") ? [["amaf", percent]] : []), ...(has("beta") ? [["beta", (value) => value?.toPrecision(2) ?? ""]] : []), ...(has("exploration") ? [["exploration", (value) => value?.toFixed(3) ?? ""]] : [])];
  const line = t("speed", { playouts: short(report.playouts), speed: short(report.playouts / Math.max(0.001, report.seconds)), nodes: short(report.nodes), memory: bytes(report.bytes) }) + (report.full ? " · " + t("full") : "");
  // A name that the keyboard is on stays there: the table is made anew ten times a second.
  const focused = document.activeElement?.dataset?.row;
  const cell = (row) => button(row.name, () => app.move(row.name), { "data-row": `${slot} ${row.name}` });
  byId("figures" + slot).replaceChildren(
    el("h2", { text: slot ? app.state.how2 : app.state.how }), el("p", { class: "note numbers", text: line }), el("p", { text: why(report) }),
    el("div", { class: "scroll" }, el("table", { class: "data" },
      el("thead", {}, el("tr", {}, el("th", { text: t("move") }), ...columns.map(([name]) => el("th", { text: t(name) })))),
      el("tbody", {}, ...report.list.slice(0, 12).map((row) => el("tr", { on: { mouseenter: () => point(slot, row), mouseleave: () => unpoint(slot), focusin: () => { if (app.board.rings[0]?.[0] !== row.name) point(slot, row); }, focusout: () => unpoint(slot) } },
        el("td", {}, cell(row)), ...columns.map(([name, text]) => el("td", { text: text(row[name]) }))))))),
    curve(values[slot], { label: t("value_curve") }));
  if (focused?.startsWith(slot + " ")) card.querySelector(`[data-row="${CSS.escape(focused)}"]`)?.focus();
  trees[slot].refresh(report.running);
}

export function moved() {
  const was = found[0] !== null;
  exact = null;
  byId("exact").hidden = true;
  byId("legend").hidden = true;
  if (was) begin();
  else if (app.state.number === "exact" && active()) solve();
}
export function leave() {
  app.line.tell("stop", { what: "slot0" });
  app.line.tell("stop", { what: "slot1" });
  app.line.tell("stop", { what: "solve" });
  found.fill(null);
}
export const back = () => { if (found[0]) begin(); };
export function key(name) {
  if (name === "s") toggle();
  else if (name === "v") { shown = !shown; paint(); }
  else if (name === "Escape" && running()) toggle();
}
