// Alpha-beta, one event at a time: a position is entered with a window, or left with a score.

import { el } from "./dom.js";
import { app } from "./main.js";
import { colour, t } from "./words.js";

const WIN = 1_000_000;

/** A score for people: what is won or lost for certain says in how many moves. */
export function points(score) {
  if (score === null) return "";
  if (Math.abs(score) > WIN - 200) return t(score > 0 ? "wins_in" : "loses_in", { plies: WIN - Math.abs(score) });
  return score > 0 ? "+" + score : String(score);
}
const span = ([low, high]) => `(${low === null ? "−∞" : points(low)}, ${high === null ? "+∞" : points(high)})`;

function sentence(step) {
  const move = step.path.at(-1) ?? t("root");
  if (!step.left) return t(step.leaf ? "enters_leaf" : "enters", { move, window: span(step.window) });
  const parts = [t("leaves", { move, score: points(step.score) })];
  if (step.left_out) parts.push(t("cut_off", { count: step.left_out }));
  if (step.line) parts.push(t("walk_over", { score: points(step.value), line: step.line.join(" ") }));
  return parts.join(" ");
}

export function showWalk(step) {
  const top = step.frames.at(-1);
  const rows = step.frames.map((frame, depth) => el("tr", { class: depth === step.frames.length - 1 ? "chosen" : "" },
    el("td", { text: depth ? step.path[depth - 1] : t("root") }), el("td", { text: colour(app.view.players[frame.turn]) + (frame.maximizing ? " ▲" : " ▼") }),
    el("td", { text: span(frame.window) }), el("td", { text: points(frame.best) }), el("td", { text: `${frame.tried}/${frame.moves}` })));
  const moves = top ? top.rows.map(([name, score]) => el("tr", { class: name === top.next && !step.left ? "chosen" : "" }, el("td", { text: name }), el("td", { text: score === null ? "–" : points(score) }))) : [];
  const table = (id, heads, body) => el("div", { class: "scroll tall" }, el("table", { class: "data", id }, el("thead", {}, el("tr", {}, ...heads.map((name) => el("th", { text: t(name) })))), el("tbody", {}, ...body)));
  return el("div", { class: "card" },
    el("h2", { text: t("walk_title", { depth: step.depth }) }), el("p", { id: "event", text: sentence(step) }),
    step.whole ? null : el("p", { class: "note", text: t("walk_cut") }),
    table("frames", ["position", "player", "window", "best", "tried"], rows), el("p", { class: "note", text: t("walk_note") }),
    moves.length ? table("tried", ["move", "score"], moves) : null);
}
