import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readPage } from "../../src/capabilities/web/page/read-page.ts";
import type { ApprovalRequest } from "../../src/kernel/people/approvals.ts";
import { approvalPages } from "../../src/kernel/people/format-approval.ts";
import { noEffects } from "../../src/kernel/policy/verdict.ts";
import { showNotebook } from "../../src/shared/notebook/show-notebook.ts";
import { casesOf, fuzzRuns, fuzzSeed } from "../support/fuzz.ts";
import { leastBlockMs, leastBlocks, maxBlockMs, maxNoticedMs } from "../support/longest-block.ts";
import { openTestSession } from "../support/open-test-session.ts";
import { grow, hostileTexts } from "./hostile-texts.ts";
import { reachOf } from "./reach.ts";
import { callerOf, isTested, textFunctions } from "./text-functions.ts";

const everyText = fuzzRuns({ sample: hostileTexts.length, full: 12 });
const everyFunction = fuzzRuns({ sample: 8, full: 1 });
/** Then there is no need to find more of a function. */
const enoughTexts = 3;

test("no function keeps everybody waiting, however much text reaches it", async () => {
  const slow: string[] = [];
  const tested = textFunctions.filter(isTested).filter((_, index) => index % everyFunction === 0);
  for (const [index, each] of tested.entries()) {
    const reach = reachOf(each);
    if (reach === 0) continue;
    const run = await callerOf(each);
    const texts = hostileTexts.filter((_, place) => (place + 7 * index + fuzzSeed) % everyText === 0);
    const found: string[] = [];
    for (const text of texts) {
      if (found.length === enoughTexts) break;
      const grown = grow(text, reach);
      const ms = await leastBlockMs(() => run(grown));
      if (ms > maxBlockMs) found.push(`${each.name} of ${JSON.stringify(text)}: ${Math.round(ms)} ms`);
    }
    slow.push(...found);
  }
  expect(slow).toEqual([]);
}, 3_600_000);

const toolText = 3_500_000;

/** Every built-in tool that takes text or reads a file, with as much of it as it may be given. */
const calls: readonly (readonly [tool: string, input: (text: string) => Record<string, unknown>])[] = [
  ["file_write", (text) => ({ path: "long", content: text })],
  ["file_write", (text) => ({ path: "long", content: `${text}x` })],
  ["file_read", () => ({ path: "long" })],
  ["file_read", () => ({ path: "large", limit: 1_000_000 })],
  ["file_edit", (text) => ({ path: "long", old_string: text.slice(0, text.length / 2), new_string: "y" })],
  ["file_edit", (text) => ({ path: "long", old_string: `${text}?`, new_string: "y" })],
  ["file_edit", (text) => ({ path: "long", old_string: text[1], new_string: "yy", replace_all: true })],
  ["file_edit", () => ({ path: "large", old_string: "only once", new_string: "y" })],
  ["file_edit", () => ({ path: "large", old_string: "never", new_string: "y" })],
  ["file_multi_edit", (text) => ({ edits: manyEdits(text) })],
  ["file_patch", (text) => ({ patch: text })],
  ["file_patch", (text) => ({ patch: patchOf(text) })],
  ["file_notebook", (text) => ({ path: "book.ipynb", cell_id: "0", new_source: text })],
  ["file_read", () => ({ path: "book.ipynb" })],
  ["file_read", () => ({ path: "book.ipynb", offset: 100_000, limit: 1_000_000 })],
  ["file_read", () => ({ path: "outputs.ipynb" })],
  ["file_read", () => ({ path: "names.ipynb" })],
  ["file_read", () => ({ path: "cells.ipynb", limit: 1_000_000 })],
  ["file_notebook", () => ({ path: "cells.ipynb", cell_id: "7", new_source: "x" })],
  ["file_gitignore", (text) => ({ action: "add", patterns: [text.slice(0, 400_000)] })],
  ["file_gitignore", () => ({ action: "check", path: "a/b/c.log" })],
  ["search_glob", (text) => ({ pattern: text })],
  ["search_grep", (text) => ({ pattern: text })],
  ["search_grep", () => ({ pattern: "o", path: "long" })],
  ["shell_run", (text) => ({ command: text })],
  ["shell_run", () => ({ command: "cat long" })],
  ["shell_run", () => ({ command: "cat long", terminal: true })],
  ["web_fetch", (text) => ({ url: `https://${text}` })],
  ["web_search", (text) => ({ query: text })],
  ["network_request", (text) => ({ url: "http://127.0.0.1:9/", body: text })],
  ["database_query", (text) => ({ connection: "shop", sql: text })],
  ["code_analyze", () => ({ path: "long.ts" })],
  ["system_env", (text) => ({ names: [text] })],
  ["tool_search", (text) => ({ query: text })],
  ["todo_write", (text) => ({ todos: [{ title: "t", notes: text }] })],
  ["task_create", (text) => ({ title: "t", description: text })],
  ["skill_load", (text) => ({ name: text })],
  ["user_ask", (text) => ({ question: text })],
  ["agent_run", (text) => ({ prompt: text })],
  // A name of a tool, of an argument, and a value of the wrong type.
  ["no_such_tool", (text) => ({ [text]: 1 })],
  ["file_read", (text) => ({ [text]: 1 })],
  ["file_read", (text) => ({ path: { text } })],
  ["file_read", () => Object.fromEntries(Array.from({ length: 19_000 }, (_, index) => [`key${index}`, 1]))],
];

function manyEdits(text: string) {
  const edit = { path: "long", old_string: `${text.slice(0, 500)}?`, new_string: "q" };
  return Array.from({ length: 500 }, () => edit);
}

function patchOf(text: string): string {
  const lines = text.split("\n").slice(0, 20_000);
  return `*** Begin Patch\n*** Update File: long\n@@\n-${lines.join("\n-")}\n+q\n*** End Patch\n`;
}

async function fill(workspace: string, text: string): Promise<void> {
  await mkdir(join(workspace, "folder"), { recursive: true });
  const cell = { cell_type: "code", source: text, metadata: {}, outputs: [] };
  const bookOf = (...cells: object[]) =>
    JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 });
  const named = Object.fromEntries(Array.from({ length: 99_000 }, (_, at) => [`name ${at}`, at]));
  const small = { cell_type: "raw", source: "" };
  const files = {
    "book.ipynb": bookOf(cell),
    "outputs.ipynb": bookOf({ ...cell, source: "", outputs: Array<object>(499_000).fill({}) }),
    "names.ipynb": bookOf({ ...cell, source: "", metadata: named }),
    "cells.ipynb": bookOf(...Array<object>(74_000).fill(small)),
    "long.ts": text.slice(0, 500_000),
    ".gitignore": "",
  };
  for (const [path, content] of Object.entries(files)) await writeFile(join(workspace, path), content);
}

/** By default, some of each kind: those that are worked out in another thread, and those that only pass through. */
const tried = casesOf({
  sample: calls.filter(([tool]) => ["file_write", "todo_write", "no_such_tool"].includes(tool)),
  full: calls,
});
const toolTexts = [
  { unit: "-a\n" },
  ...hostileTexts
    .filter((_, index) => index % fuzzRuns({ sample: 1000, full: 60 }) === 20)
    .slice(fuzzRuns({ sample: 1, full: 0 })),
];

// Not one time only: all times together in which others had no turn for 50 ms.
test("no call of a tool keeps everybody waiting, however long its input and the files it reads", async () => {
  const { session, workspace } = await openTestSession({
    permissions: { mode: "auto" },
    requireReadBeforeWrite: false,
    databases: { shop: { sqlite: "shop.db", writable: true } },
  });
  const line = "ein Satz, so lang wie eine Zeile — und nicht nur ASCII\n";
  const half = line.repeat(fuzzRuns({ sample: 10_000, full: 400_000 }));
  await writeFile(join(workspace, "large"), `${half}only once\n${half}`);
  const slow: string[] = [];
  for (const each of toolTexts) {
    const text = grow(each, fuzzRuns({ sample: toolText / 4, full: toolText }));
    await fill(workspace, text);
    for (const [tool, input] of tried) {
      const { noticedMs } = await leastBlocks(() => session.call(tool, input(text)), maxBlockMs);
      if (noticedMs > maxBlockMs) {
        const given = JSON.stringify(input(text)).slice(0, 60);
        slow.push(`${tool} ${given} of ${JSON.stringify(each)}: ${Math.round(noticedMs)} ms`);
      }
    }
  }
  expect(slow).toEqual([]);
}, 3_600_000);

/** As much of a page as is read at once, and a document of as many pages. */
const pages: readonly (readonly [contentType: string, body: () => Buffer])[] = [
  ["text/html", () => Buffer.from("<div><p>x".repeat(pageCharacters / 10))],
  ["text/html", () => Buffer.from("<blockquote>a\n<br>".repeat(pageCharacters / 20))],
  ["text/html", () => Buffer.from(`<table>${"<tr><td>x".repeat(pageCharacters / 10)}`)],
  ["application/pdf", () => pdfOf("(x) Tj 0 1 Td ".repeat(pageCharacters / 20))],
  ["application/pdf", () => pdfOf("q ".repeat(pageCharacters / 2))],
];
const pageCharacters = fuzzRuns({ sample: 10_000, full: 500_000 });

/** A document with one page, which draws this. */
function pdfOf(drawing: string): Buffer {
  return Buffer.from(
    `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>/Contents 4 0 R>>endobj\n4 0 obj<</Length ${drawing.length + 13}>>stream\nBT /F 9 Tf ${drawing}\nendstream endobj\ntrailer<</Root 1 0 R>>\n`,
  );
}

test("no page and no document keeps everybody waiting", async () => {
  const slow: string[] = [];
  for (const [contentType, body] of casesOf({ sample: [pages[0]!, pages[3]!], full: pages })) {
    const bytes = body();
    const { longestMs, noticedMs } = await leastBlocks(() =>
      readPage({ body: bytes, contentType, url: "https://example.com/" }).catch(() => {}),
    );
    if (longestMs > maxBlockMs || noticedMs > maxNoticedMs)
      slow.push(`${contentType} ${bytes.toString("latin1", 0, 30)}: ${Math.round(noticedMs)} ms`);
  }
  expect(slow).toEqual([]);
}, 600_000);

test("lines of a long notebook are made one by one, while others have their turn", async () => {
  const lines = 3_000_000;
  const cell = {
    index: 0,
    id: undefined,
    type: "code",
    source: "\n".repeat(lines),
    isList: false,
    executionCount: undefined,
    outputs: [],
  };
  const { longestMs } = await leastBlocks(async () => {
    const range = { firstLine: 3, isFull: (kept: readonly string[]) => kept.length === 2 };
    const shown = await showNotebook({ cells: [cell], hasIds: true }, range);
    expect(shown).toMatchObject({ lines: ["| ", "| "], totalLines: lines + 2 });
  });
  expect(longestMs).toBeLessThan(50);
});

test("a request that is too long to be read is refused before it is formatted", async () => {
  const request: ApprovalRequest = {
    ...{ id: "approval_1", callId: "call_1", sessionId: "one", tool: "file_write" },
    caller: { kind: "agent", name: "agent" },
    input: { path: "a", content: "a\n".repeat(2_000_000) },
    verdict: {
      ...{ decision: "ask", decidedBy: "mode ask", reason: "mode ask requires approval" },
      ...{ permissionClass: "write", effects: noEffects },
    },
    requestedAt: "2026-01-01T00:00:00.000Z",
  };
  expect(await leastBlockMs(() => expect(approvalPages(request)).toBeUndefined())).toBeLessThan(maxBlockMs);
});
