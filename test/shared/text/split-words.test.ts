import { expect, test } from "vitest";
import { splitWords, stemWord } from "../../../src/shared/text/split-words.ts";

test.each([
  ["web_fetch-page.html", ["web", "fetch", "page", "html"], []],
  ["WebFetch", ["webfetch"], ["web", "fetch"]],
  ["HTTPServer2Go", ["httpserver2go"], ["http", "server2", "go"]],
  ["Café Über", ["cafe", "uber"], []],
  ["搜索web文件", ["搜索", "web", "文件"], []],
  ["文", ["文"], []],
  ["поиск слов", ["поиск", "слов"], []],
  ["", [], []],
])("%j is split into its words", (text, words, parts) => {
  expect(splitWords(text)).toMatchObject({ words, parts });
});

test.each([
  ["files", "file"],
  ["creating", "create"],
  ["creation", "created"],
  ["searches", "search"],
  ["queries", "query"],
  ["running", "run"],
  ["stopped", "stop"],
  ["notify", "notifies"],
])("%s and %s are the same word", (left, right) => {
  expect(stemWord(left)).toBe(stemWord(right));
});

test.each([
  ["bus", "bu"],
  ["s3", "s"],
  ["thing", "th"],
  ["文件", "文"],
])("%s is not %s", (left, right) => {
  expect(stemWord(left)).not.toBe(stemWord(right));
});
