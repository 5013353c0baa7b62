// Play: people and searches, in any combination.

import { call } from "./api.js";
import { button, byId, download, el, labelled, select } from "./dom.js";
import { announce, app, problem, status } from "./main.js";
import { t, colour } from "./words.js";

const ALPHA_BETA = "alpha_beta";
let thinking = null;

const over = () => app.view.outcome !== null || app.state.resigned !== null;
const side = () => (app.view.turn === 0 ? app.state.x : app.state.o);
export const active = () => !over() && side() === "person";

const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `level(${n})`);
/** The game of the state among those that are offered. */
function chosenGame() {
  const { state, offers } = app;
  const plain = state.game.split("(")[0];
  return offers.games.find((game) => game.name === plain) ?? offers.games[0];
}
/** Game and size, in every mode that can begin anew; `change` goes with a new game. */
export function gameFields(change = {}) {
  const { state, offers } = app;
  const known = chosenGame();
  const sizes = known.sizes.includes(state.game) ? known.sizes : [...known.sizes, state.game];
  const begin = (game) => restart({ ...change, game, position: null });
  return el("div", { class: "grid2" },
    labelled(t("game"), select(offers.games.map((game) => [game.name, game.name.replaceAll("_", " ")]), known.name, begin, { id: "game" })),
    labelled(t("size"), select(sizes.map((name) => [name, name.includes("(") ? name.slice(name.indexOf("(") + 1, -1) : t("usual")]), state.game, begin, { id: "size" })));
}

export function render(panel) {
  const { state, offers } = app;
  const known = chosenGame(), plain = known.name;
  const others = [...offers.searches, ...(known.own ? [] : [ALPHA_BETA])];
  const players = (key) => select([["person", t("person")], [t("levels"), LEVELS.map((name, k) => [name, t("level", { n: k + 1 })])], [t("searches"), others.map((name) => [name, name])], ...(["person", ...LEVELS, ...others].includes(state[key]) ? [] : [[state[key], state[key]]])], state[key], (value) => set({ [key]: value }), { id: "player-" + key });
  const typed = el("input", { id: "typed", autocomplete: "off", spellcheck: "false", maxlength: "40" });
  const pasted = el("textarea", { id: "pasted", rows: "3", maxlength: "1000000" });
  const file = el("input", { type: "file", id: "file", accept: ".sgf,.ggf,.json,.txt,.moves", on: { change: async () => file.files[0] && read(await file.files[0].text()) } });
  const forms = known.own ? ["moves"] : plain === "othello" ? ["sgf", "ggf", "json", "moves"] : ["sgf", "json", "moves"];
  const form = select(forms.map((name) => [name, name.toUpperCase()]), forms[0], () => {}, { id: "form", "aria-label": t("save") });
  panel.append(
    el("div", { class: "card" },
      gameFields(),
      el("div", { class: "grid2" },
        labelled(t("first"), players("x")), labelled(t("second"), players("o")),
        labelled(t("seconds"), select([0.1, 0.3, 1, 3, 10].map((value) => [String(value), String(value)]), String(state.seconds), (value) => set({ seconds: Number(value) }), { id: "seconds" }))),
      el("div", { class: "row" },
        button(t("new_game"), () => restart({}), { id: "new", class: "primary" }), button(t("undo"), undo, { id: "undo" }), button(t("hint"), hint, { id: "hint" }),
        button(t("resign"), resign, { id: "resign" }), button(t("swap"), () => set({ x: state.o, o: state.x }), { id: "swap" }))),
    el("form", { class: "card row", on: { submit: (event) => { event.preventDefault(); if (typed.value.trim() && active()) app.move(typed.value.trim()); typed.value = ""; } } },
      labelled(t("type_move"), typed), button(t("play_it"), () => {}, { type: "submit" })),
    el("details", { class: "card" }, el("summary", { text: t("record") }),
      el("div", { class: "row" }, form, button(t("save"), () => save(form.value), { id: "save" })),
      labelled(t("load"), file), labelled(t("paste"), pasted), button(t("read"), () => read(pasted.value), { id: "read" })));
}

/** The game as a list of moves, which the server reads and writes in every form. */
export function asMoves() {
  const { state, view } = app;
  const head = [`# game: ${state.game}`];
  if (state.position) head.push(`# position: ${state.position}`);
  if (state.resigned !== null) head.push(`# result: ${"ox"[state.resigned]}+R`);
  else if (view.result && state.at === state.moves.length) head.push(`# result: ${view.result}`);
  return [...head, state.moves.join(" "), ""].join("\n");
}

async function save(form) {
  try {
    const made = await call("write", { text: asMoves(), form });
    download(made.name, made.text);
  } catch (error) { problem(error); }
}

/** A record in any form, or the text of a position. */
export async function read(text) {
  if (!text.trim()) return;
  try {
    const found = await call("read", { text, game: app.state.game });
    await app.set({ game: found.game, position: found.position, moves: found.moves, at: found.moves.length, x: "person", o: "person", resigned: null });
    app.found = found;
    again();
  } catch (first) {
    try {
      await call("board", { game: app.state.game, position: text.trim(), moves: "" });
      await app.set({ position: text.trim(), moves: [], at: 0, resigned: null });
    } catch { problem(first); }
  }
}

function again() {
  const panel = byId("panel");
  panel.replaceChildren();
  app.mode.render(panel, app);
}

function set(change) {
  stop();
  app.set(change).then(again);
}
function restart(change) {
  stop();
  app.found = null;
  app.set({ ...change, moves: [], at: 0, resigned: null }).then(again);
}

/** Back to where a person was last to move. */
function undo() {
  const { state } = app;
  stop();
  const machine = [state.x, state.o].filter((who) => who !== "person").length === 1;
  const steps = machine && side() === "person" && !over() ? 2 : 1;
  const at = Math.max(0, state.at - steps);
  app.set({ moves: state.moves.slice(0, at), at, resigned: null });
}

function resign() {
  if (over()) return;
  stop();
  app.state.resigned = app.view.turn;
  app.set({}).then(() => announce(byId("status").textContent));
}

async function hint() {
  if (over()) return;
  const view = app.view;
  try {
    const found = await app.line.ask("move", { ...app.place(), how: "uct", seconds: Math.min(1, app.state.seconds), seed: 1 });
    if (app.view !== view) return;
    app.board.setRings([[found.name, "best"]]);
    byId("status").textContent = t("hint_is", { move: found.name });
    announce(t("hint_is", { move: found.name }));
  } catch (error) { problem(error); }
}

const named = (how) => (LEVELS.includes(how) ? t("level", { n: LEVELS.indexOf(how) + 1 }) : how);

/** The board has changed: a search may be to move. */
export async function moved() {
  const { state, view } = app;
  if (over() || side() === "person" || state.at !== state.moves.length || !app.line.open) return;
  const key = state.game + state.position + state.moves.join(" ") + side();
  if (thinking === key) return;
  thinking = key;
  byId("status").textContent = t("thinking", { who: `${colour(view.players[view.turn])} (${named(side())})` });
  try {
    const found = await app.line.ask("move", { ...app.place(), how: side(), seconds: state.seconds, seed: state.moves.length });
    if (thinking !== key || app.view !== view || app.state.mode !== "play") return;
    thinking = null;
    await app.move(found.name);
  } catch (error) {
    if (thinking === key) thinking = null;
    if (error.code !== "offline") { problem(error); status(); }
  }
}

function stop() {
  thinking = null;
  app.line.tell("stop", { what: "move" });
}
export const leave = stop;
export const back = () => { thinking = null; if (app.view) moved(); };

export function key(name) {
  if (name === "u") undo();
  else if (name === "h") hint();
  else if (name === "n") restart({});
  else if (name === "Escape") { stop(); status(); }
}
