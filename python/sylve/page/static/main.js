// The page as a whole: what it shows, and the mode that fills the panel.

import { readAddress, writeAddress, MODES } from "./address.js";
import { call, Line } from "./api.js";
import { Board } from "./board.js";
import { byId, button, el } from "./dom.js";
import { t, colour, language, setLanguage } from "./words.js";
import * as play from "./play.js";
import * as analyse from "./analyse.js";
import * as learn from "./learn.js";
import * as review from "./review.js";
import * as shelf from "./shelf.js";

const modes = { play, analyse, learn, review, shelf };

/** Everything that the modes share. */
export const app = {
  state: readAddress(location.hash), view: null, offers: null, board: null, line: null, mode: null, asked: 0,

  place(at = app.state.at) {
    const { game, position, moves } = app.state;
    return { game, position, moves: moves.slice(0, at).join(" ") };
  },
  /** Change the state; the address and the board follow. */
  async set(change, say = "") {
    Object.assign(app.state, change);
    keepAddress();
    const number = ++app.asked;
    try {
      const view = await call("board", app.place());
      if (number !== app.asked) return;
      problem(null);
      app.view = view;
      if (app.state.at === app.state.moves.length) app.state.moves = view.played;
      app.state.at = view.played.length;
      app.board.show(view, app.mode.active(app));
      status();
      if (say) announce(say + " " + byId("status").textContent);
      app.mode.moved(app);
    } catch (error) {
      problem(error);
    }
  },
  /** A person, or a search, plays a move. */
  async move(name) {
    const { state, view } = app;
    const who = colour(view.players[view.turn]);
    const change = { moves: [...state.moves.slice(0, state.at), name], at: state.at + 1, resigned: null };
    const before = { moves: state.moves, at: state.at };
    await app.set(change, t("played", { who, move: name }));
    if (app.view === view) Object.assign(state, before); // refused: as it was
    keepAddress();
  },
  goTo(at) {
    return app.set({ at: Math.max(0, Math.min(at, app.state.moves.length)) });
  },
};

export function problem(error) {
  const place = byId("problem");
  place.hidden = !error;
  place.textContent = error ? (error.code === "offline" ? t("offline") : error.code === "token" ? t("stranger") : error.message) : "";
}
/** The address follows what was changed without `set`. */
export function keepAddress() {
  history.replaceState(null, "", writeAddress(app.state));
}
export function announce(text) {
  byId("announce").textContent = text;
}

/** Who is to move, or how it ended, in words. */
export function status() {
  const { view, state } = app;
  const place = byId("status");
  const name = (player) => colour(view.players[player]);
  if (state.resigned !== null) place.textContent = t("resigned", { loser: name(state.resigned), who: name(1 - state.resigned) });
  else if (!view.outcome) place.textContent = t("to_move", { who: name(view.turn) });
  else if (view.outcome.winner === null) place.textContent = t("draw");
  else {
    const points = /\+([0-9.]+)$/.exec(view.result ?? "")?.[1];
    place.textContent = t(points ? "won_by" : "won", { who: name(view.outcome.winner), points });
  }
  moveList();
}

function moveList() {
  const { state } = app;
  const all = state.moves.length;
  const step = (sign, key, at) => button(sign, () => app.goTo(at), { "aria-label": t(key), title: t(key), disabled: at < 0 || at > all || at === state.at });
  const list = el("ol", { class: "list", "aria-label": t("move_list") }, ...state.moves.map((name, k) =>
    el("li", {}, button(name, () => app.goTo(k + 1), { class: k + 1 === state.at ? "here" : "" }))));
  byId("moves").replaceChildren(el("div", { class: "steps" }, step("«", "begin", 0), step("‹", "back", state.at - 1), el("span", { text: t("looking_back", { at: state.at, all }) }), step("›", "on", state.at + 1), step("»", "end", all)), list);
  list.querySelector(".here")?.scrollIntoView({ block: "nearest" });
}

function render() {
  setLanguage(app.state.lang || (navigator.language || "en").slice(0, 2));
  if (app.state.theme) document.documentElement.dataset.theme = app.state.theme;
  byId("skip").textContent = t("skip");
  byId("offline").textContent = t("offline");
  byId("modes").replaceChildren(...MODES.map((name) => button(t(name), () => showMode(name), { role: "tab", "aria-selected": String(name === app.state.mode), id: "mode-" + name })));
  byId("tools").replaceChildren(
    button(t("language"), () => { app.state.lang = language() === "en" ? "fr" : "en"; render(); app.set({}); }, { id: "language" }),
    button("◐", () => { const dark = (app.state.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark"; app.state.theme = dark ? "light" : "dark"; render(); app.set({}); }, { id: "theme", "aria-label": t("theme"), title: t("theme") }),
    button("?", help, { id: "help-button", "aria-label": t("help"), title: t("help") }));
  app.mode = modes[app.state.mode];
  byId("layout").dataset.mode = app.state.mode;
  byId("legend").hidden = true;
  byId("panel").replaceChildren();
  app.mode.render(byId("panel"), app);
  if (app.view) {
    app.board.setHeat(null);
    app.board.setRings([]);
    app.board.show(app.view, app.mode.active(app));
    status();
  }
}

/** Another mode. */
export function showMode(name) {
  app.mode.leave?.(app);
  app.state.mode = name;
  render();
  byId("mode-" + name).focus();
  app.set({});
}

function help() {
  const box = byId("help");
  box.replaceChildren(el("h2", { text: t("help") }), el("p", { text: t("help_text") }), button(t("close"), () => box.close()));
  box.showModal();
}

document.addEventListener("keydown", (event) => {
  if (event.target.matches("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === ",") app.goTo(app.state.at - 1);
  else if (event.key === ".") app.goTo(app.state.at + 1);
  else if (event.key === "?") help();
  else app.mode.key?.(event.key, app);
});
window.addEventListener("hashchange", () => {
  app.state = readAddress(location.hash);
  app.mode.leave?.(app);
  render();
  app.set({});
});

async function begin() {
  for (;;) {
    try {
      app.offers = await call("hello");
      break;
    } catch (error) {
      setLanguage((navigator.language || "en").slice(0, 2));
      problem(error);
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
  app.board = new Board(byId("board"), (name) => app.move(name));
  app.line = new Line((open) => {
    byId("offline").hidden = open;
    if (open) app.mode?.back?.(app);
  });
  render();
  await app.set({});
}
begin();
