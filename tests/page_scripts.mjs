// The scripts of the page that need no document: run by tests/test_page.py through `node --test`.

import assert from "node:assert/strict";
import test from "node:test";
import { readAddress, START, writeAddress } from "./address.mjs";
import { heatColour, label, percent, scaled, short } from "./numbers.mjs";
import { keys, reason, t } from "./words.mjs";

test("an address says what differs from the start, and is read back", () => {
  assert.equal(writeAddress({ ...START, moves: [] }), "#");
  const state = { ...START, mode: "learn", moves: ["f5", "d6"], at: 1, k: 30, how: "rave(schedule=mse)", seconds: 0.1, position: "x & y" };
  assert.deepEqual(readAddress(writeAddress(state)), state);
});
test("an address that is wrong is as at the start", () => {
  const state = readAddress("#mode=evil&k=-3&seed=NaN&unknown=1&at=99&moves=a1");
  assert.deepEqual(state, { ...START, moves: ["a1"], at: 1 });
  assert.equal(readAddress("#__proto__=x").mode, "play");
});
test("numbers are short", () => {
  assert.deepEqual([0, 999, 25_900, 1_234_567].map(short), ["0", "999", "25.9\u202fk", "1.23\u202fM"]);
  assert.equal(percent(0.5), "50.0");
  assert.equal(percent(null), "");
});
test("values are scaled as the number asks", () => {
  assert.deepEqual(scaled([5, 10, null], "visits"), [0.5, 1, null]);
  assert.deepEqual(scaled([-1, 0, 1], "exact"), [0, 0.5, 1]);
  assert.deepEqual(scaled([0.25, 0.5], "mean"), [0.25, 0.5]);
  assert.equal(label(3, "exact"), "+3");
  assert.equal(label(50, "visits", 200), "25%");
});
test("colours go from dark to light", () => {
  const sum = (text) => text.match(/\d+/g).map(Number).reduce((a, b) => a + b);
  const sums = [0, 0.25, 0.5, 0.75, 1].map((value) => sum(heatColour(value)));
  assert.deepEqual([...sums].sort((a, b) => a - b), sums);
});
test("both languages have every word, with the same gaps", () => {
  const { en, fr } = keys();
  assert.deepEqual([...en].sort(), [...fr].sort());
  assert.equal(t("to_move", { who: "Black" }), "Black to move");
});
test("a reason is a sentence of the reader's language, a formula stays", () => {
  assert.equal(reason("the highest score, 0.5; the next is c4-c3 with 0.4667"), t("why_highest", { a: "0.5", b: "c4-c3", c: "0.4667" }));
  assert.equal(reason("not tried yet, the first of 3 such moves"), t("why_untried_of", { n: "3" }));
  assert.equal(reason("0.64 + 0.4 = 1.04"), "0.64 + 0.4 = 1.04");
});
