// Review: every position of a game is searched; what each move has lost.

import { call } from "./api.js";
import { curve } from "./chart.js";
import { button, byId, download, el, labelled } from "./dom.js";
import { app, problem } from "./main.js";
import { percent } from "./numbers.js";
import { asMoves } from "./play.js";
import { t, language } from "./words.js";

let how = "uct", playouts = 2000, reports = {}, total = 0, busy = false;

export const active = () => false;
const own = () => app.offers.games.find((game) => game.name === app.state.game.split("(")[0])?.own;

export function render(panel) {
  panel.append(el("div", { class: "card" },
    el("div", { class: "grid2" },
      labelled(t("search"), el("input", { id: "review-how", value: how, maxlength: "400", on: { change: (event) => { how = event.target.value.trim() || "uct"; } } })),
      labelled(t("playouts"), el("input", { id: "review-playouts", type: "number", min: "1", max: "1000000", value: String(playouts), on: { change: (event) => { playouts = Math.max(1, Math.min(1_000_000, Number(event.target.value) || 2000)); } } }))),
    el("div", { class: "row" }, button(t("review_it"), toggle, { id: "review-it", class: "primary" })),
    el("progress", { id: "progress", hidden: true, max: "1", value: "0" }), el("p", { id: "progress-text", class: "note" })),
    el("div", { id: "reviewed" }));
  app.line.on("review", heard);
  showFound();
}

function toggle() {
  if (busy) {
    app.line.tell("stop", { what: "review" });
    return idle();
  }
  if (!app.state.moves.length) { byId("progress-text").textContent = t("no_moves"); return; }
  reports = {};
  busy = true;
  app.found = null;
  byId("review-it").textContent = t("stop");
  app.line.ask("review", { game: app.state.game, position: app.state.position, moves: app.state.moves.join(" "), how, playouts }).then(heard, (error) => { idle(); problem(error); });
}

function idle() {
  busy = false;
  if (byId("review-it")) byId("review-it").textContent = t("review_it");
  if (byId("progress")) byId("progress").hidden = true;
}

async function heard(message) {
  if (message.error) { idle(); return problem(message.error); }
  if (app.state.mode !== "review" || !busy) return;
  if (message.done) return finish();
  reports[message.ply] = message.report;
  total = message.total;
  const done = total - message.left;
  const bar = byId("progress");
  bar.hidden = false;
  bar.max = total;
  bar.value = done;
  byId("progress-text").textContent = t("progress", { done, all: total });
}

/** All is searched: the record with its analysis is read back, and says what each move has lost. */
async function finish() {
  idle();
  try {
    const plain = await call("write", { text: asMoves(), form: "json" });
    const text = JSON.stringify({ ...JSON.parse(plain.text), analysis: reports });
    app.found = await call("read", { text });
    showFound();
  } catch (error) { problem(error); }
}

function showFound() {
  const place = byId("reviewed");
  const review = app.found?.review;
  if (!place) return;
  place.replaceChildren();
  if (!review || own() || app.found.moves.join() !== app.state.moves.join()) return;
  const rows = [...review.rows].filter((row) => row.loss !== null).sort((a, b) => b.loss - a.loss);
  const save = (form, kind) => async () => {
    try {
      const made = await call("write", { text: app.found.record, form, language: language() });
      download(made.name, made.text, kind);
    } catch (error) { problem(error); }
  };
  place.append(
    el("div", { class: "card" }, el("h2", { text: t("first_value") }), curve(review.curve.map(([value]) => value), { mark: app.state.at, click: (ply) => app.goTo(ply), label: t("first_value") }),
      el("div", { class: "row" }, button(t("export_html"), save("html", "text/html"), { id: "export-html" }), button(t("export_json"), save("json"), { id: "export-json" }), button(t("export_sgf"), save("sgf"), { id: "export-sgf" }))),
    el("div", { class: "card" }, el("h2", { text: t("worst") }), el("div", { class: "scroll" }, el("table", { class: "data", id: "losses" },
      el("thead", {}, el("tr", {}, el("th", { text: "" }), ...["move", "best", "before", "after", "loss_column"].map((name) => el("th", { text: t(name) })))),
      el("tbody", {}, ...rows.map((row) => el("tr", {}, el("td", {}, button(String(row.ply + 1), () => app.goTo(row.ply).then(() => app.board.setRings([[row.best, "best"], [row.name, "reply"]])))), el("td", { text: row.name }), el("td", { text: row.best }),
        el("td", { text: percent(row.before) }), el("td", { text: percent(row.after) }), el("td", { text: percent(row.loss) + (row.exact ? " ✓" : "") }))))))));
}

export function moved() { showFound(); }
export function leave() { if (busy) { app.line.tell("stop", { what: "review" }); idle(); } }
export const back = idle;
export function key(name) { if (name === "Escape" && busy) toggle(); }
