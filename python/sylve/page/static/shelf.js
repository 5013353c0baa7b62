// The shelf: tournaments and results of the lab; a tournament that is being played is live.

import { call } from "./api.js";
import { button, byId, el } from "./dom.js";
import { app, keepAddress, problem, showMode } from "./main.js";
import { t } from "./words.js";

const PAUSE = 2000; // milliseconds between two looks at a tournament that runs
const GAMES = 50;
let timer = null, first = 0, asked = 0;

export const active = () => false;

export function render(panel) {
  panel.append(el("div", { class: "card" }, el("h2", { text: t("shelf") }), el("div", { id: "shelf" })), el("div", { id: "entry" }));
  first = 0;
  list();
}

async function list() {
  try {
    const { entries } = await call("shelf");
    const place = byId("shelf");
    if (!place) return;
    place.replaceChildren(entries.length ? el("ul", { class: "plain" }, ...entries.map((entry) => el("li", {},
      button(entry.name, () => open(entry.number), { disabled: entry.problem, "aria-current": String(entry.number === app.state.entry) }),
      el("span", { class: "note", text: [" " + t(entry.kind), entry.title, entry.total ? t("games_done", { done: entry.done, all: entry.total }) : "", entry.running ? t("running_now") : ""].filter(Boolean).join(" · ") })))) : el("p", { class: "note", text: t("shelf_empty") }));
    if (app.state.entry) show();
  } catch (error) { problem(error); }
}

function open(number) {
  first = 0;
  app.state.entry = number;
  keepAddress();
  show();
}

const table = (head, rows) => el("div", { class: "scroll" }, el("table", { class: "data" }, el("thead", {}, el("tr", {}, ...head.map((text) => el("th", { text })))), el("tbody", {}, ...rows.map((row) => el("tr", {}, ...row.map((cell) => el("td", {}, cell instanceof Node ? cell : String(cell ?? ""))))))));

async function show() {
  clearTimeout(timer);
  const number = ++asked;
  try {
    const entry = await call("entry", { number: app.state.entry, first });
    const place = byId("entry");
    if (!place || number !== asked || app.state.mode !== "shelf") return;
    place.replaceChildren(...(entry.kind === "tournament" ? tournament(entry) : experiment(entry)));
    if (entry.running && entry.done < entry.total) timer = setTimeout(show, PAUSE);
  } catch (error) { problem(error); }
}

function tournament(entry) {
  const more = entry.first + entry.games.length < entry.done;
  const page = (to) => () => { first = to; show(); };
  return [el("div", { class: "card" }, el("h2", { text: entry.title }), el("p", { id: "games-done", text: t("games_done", { done: entry.done, all: entry.total }) + (entry.running ? " · " + t("running_now") : "") }),
    el("h2", { text: t("standings") }), table(entry.ratings.head, entry.ratings.rows), el("h2", { text: t("crosstable") }), table(entry.cross.head, entry.cross.rows), ...entry.notes.map((text) => el("p", { class: "note", text }))),
  el("div", { class: "card" }, el("h2", { text: t("latest") }),
    table(["", t("first_player"), t("second_player"), t("result"), t("move_list")], entry.games.map(([game, one, two, result, plies]) => [button(String(game + 1), () => replay(entry.number, game), { "data-game": game, "aria-label": `${t("open_game")} ${game + 1}` }), one, two, result, plies])),
    el("div", { class: "row" }, entry.first ? button("‹", page(Math.max(0, entry.first - GAMES)), { "aria-label": t("back") }) : null, more ? button(t("more_games"), page(entry.first + GAMES), { id: "more-games" }) : null))];
}

function experiment(entry) {
  const figure = entry.figure ? el("img", { class: "figure", alt: entry.caption, src: "data:image/svg+xml," + encodeURIComponent(entry.figure) }) : null;
  return [el("div", { class: "card" }, el("h2", { text: entry.title }), ...entry.claims.map(([claim, answer, reason]) => el("p", {}, el("strong", { text: `${t("verdict")}: ${answer}. ` }), `${claim} ${reason}`)), figure, el("p", { class: "note", text: entry.caption }), el("p", { class: "note", text: entry.command })),
    ...entry.tables.map(([title, head, rows]) => el("div", { class: "card" }, el("h2", { text: title }), table(head, rows)))];
}

/** A game of a tournament, to be played through, or reviewed. */
async function replay(number, game) {
  try {
    const found = await call("shelf_game", { number, game });
    app.found = null;
    Object.assign(app.state, { game: found.game, position: found.position, moves: found.moves, at: 0, x: "person", o: "person", resigned: null });
    showMode("review");
  } catch (error) { problem(error); }
}

export function moved() {}
export function leave() { clearTimeout(timer); asked += 1; }
export const back = () => { if (app.state.entry) show(); };
