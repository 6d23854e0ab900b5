import { expect, test } from "vitest";
import { createWordList } from "../../../src/kernel/tool-search/word-list.ts";

test("a word is found by any part of it, until it was removed as often as it was added", () => {
  const words = createWordList();
  for (const word of ["webhook", "webhook", "hook", "fetch"]) words.add(word);
  expect(words.containing("hook")).toEqual(["webhook", "hook"]);
  words.remove("webhook");
  expect(words.containing("web")).toEqual(["webhook"]);
  words.remove("webhook");
  words.remove("never added");
  expect(words.containing("web")).toEqual([]);
  expect(words.containing("hook")).toEqual(["hook"]);
});

test("a part that is in a word twice finds it once, and too short a part finds nothing", () => {
  const words = createWordList();
  words.add("banana");
  words.add("");
  expect(words.containing("ana")).toEqual(["banana"]);
  expect(words.containing("an")).toEqual([]);
  expect(words.containing("")).toEqual([]);
  expect(words.containing("bananas")).toEqual([]);
});

test("of very many words with a part only the first are looked at", () => {
  const list = createWordList();
  for (let count = 0; count < 10_000; count++) list.add(`thing${count}`);
  expect(list.containing("thing")).toHaveLength(2000);
  expect(list.containing("thing9999")).toEqual(["thing9999"]);
});
