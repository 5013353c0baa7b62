// The state of the page in its address, after the #: whoever has the address sees the same.

export const MODES = ["play", "analyse", "learn", "review", "shelf"];
const PERSON = "person";

/** What the page shows when its address says nothing. */
export const START = Object.freeze({
  mode: "play", game: "othello", position: null, moves: [], at: 0,
  x: PERSON, o: "uct", seconds: 1, resigned: null,
  how: "uct", how2: "", number: "visits", seed: 1, playouts: 1_000_000, threads: 1, memory: 64,
  k: 1, part: "descent", depth: 0, ply: 0, entry: 0, lang: "", theme: "",
});
const NUMBERS = new Set(["at", "seconds", "seed", "playouts", "threads", "memory", "k", "depth", "ply", "entry"]);

/** The state that an address describes; what cannot be read is as at the start. */
export function readAddress(hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const state = { ...START, moves: [] };
  for (const [name, text] of given) {
    if (!(name in START) || text.length > 30_000) continue;
    if (name === "moves") state.moves = text.split(" ").filter(Boolean);
    else if (name === "resigned") state.resigned = text === "0" ? 0 : text === "1" ? 1 : null;
    else if (NUMBERS.has(name)) {
      const number = Number(text);
      if (Number.isFinite(number) && number >= 0) state[name] = number;
    } else state[name] = text;
  }
  if (!MODES.includes(state.mode)) state.mode = START.mode;
  if (!given.has("at")) state.at = state.moves.length;
  state.at = Math.min(Math.floor(state.at), state.moves.length);
  return state;
}

/** The address of a state: only what is not as at the start. */
export function writeAddress(state) {
  const given = new URLSearchParams();
  for (const name of Object.keys(START)) {
    const value = state[name];
    if (name === "moves") value.length && given.set("moves", value.join(" "));
    else if (name === "at") state.at !== state.moves.length && given.set("at", String(value));
    else if (value !== START[name] && value !== null && value !== "") given.set(name, String(value));
  }
  return "#" + given.toString();
}
