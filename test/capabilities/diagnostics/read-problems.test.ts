import { expect, test } from "vitest";
import { checkDiagnostics } from "../../../src/capabilities/diagnostics/diagnostics-options.ts";
import { createMessageFrames } from "../../../src/capabilities/diagnostics/language-server/server-connection.ts";
import { readProblems } from "../../../src/capabilities/diagnostics/read-problems.ts";

test("problems are read as each program prints them", () => {
  expect(
    readProblems("src/a (b).ts(3,5): error TS2322: No.\n  Because of this.\nFound 1 error.\n", "tsc"),
  ).toEqual([
    {
      path: "src/a (b).ts",
      line: 3,
      column: 5,
      severity: "error",
      code: "TS2322",
      message: "No. Because of this.",
    },
  ]);
  expect(
    readProblems("a.c:3:5: warning: unused\na.py:7: error: wrong\nb.go:1:2: vet\nnot: one\n", "unix"),
  ).toEqual([
    { path: "a.c", line: 3, column: 5, severity: "warning", message: "unused" },
    { path: "a.py", line: 7, severity: "error", message: "wrong" },
    { path: "b.go", line: 1, column: 2, severity: "error", message: "vet" },
  ]);
  const eslint = [
    { filePath: "/p/a.js", messages: [{ ruleId: "semi", severity: 1, message: "No.", line: 2, column: 3 }] },
    { filePath: "/p/b.js", messages: [{ ruleId: null, fatal: true, severity: 2, message: "Parsing error" }] },
  ];
  expect(readProblems(JSON.stringify(eslint), "eslint-json")).toEqual([
    { path: "/p/a.js", line: 2, column: 3, severity: "warning", code: "semi", message: "No." },
    { path: "/p/b.js", line: 1, severity: "error", message: "Parsing error" },
  ]);
  const location = { path: "a.ts", start: { line: 2, column: 1 } };
  const biome = { diagnostics: [{ severity: "warning", message: "No.", category: "lint/x", location }] };
  expect(readProblems(JSON.stringify(biome), "biome-json")).toEqual([
    { path: "a.ts", line: 2, column: 1, severity: "warning", code: "lint/x", message: "No." },
  ]);
  for (const text of ["", "{}", "[null, 3]x", "null"]) {
    expect(() => readProblems(text, "biome-json"), text).toThrow();
  }
});

test("messages arrive whole however they are cut, and one without a sane length is refused", () => {
  const texts = ["{}", '{"a":"ä"}', ""];
  const bytes = Buffer.from(
    texts.map((text) => `content-length: ${Buffer.byteLength(text)}\r\nX: y\r\n\r\n${text}`).join(""),
  );
  for (const size of [1, 2, 7, bytes.length]) {
    const read: string[] = [];
    const frames = createMessageFrames(100, (text) => read.push(text));
    for (let at = 0; at < bytes.length; at += size) frames.push(bytes.subarray(at, at + size));
    expect(read, `${size} bytes at once`).toEqual(texts);
  }
  for (const sent of [
    "Content-Length: 101\r\n\r\n",
    "Content-Length: x\r\n\r\n",
    "A: b\r\n\r\n",
    "y\n".repeat(3000),
  ]) {
    const frames = createMessageFrames(100, () => {});
    expect(() => frames.push(Buffer.from(sent)), sent.slice(0, 30)).toThrow();
  }
});

test("a checker that could not work is refused when the runtime opens", () => {
  const good = { files: "*.ts", command: ["tsc"], format: "tsc" } as const;
  checkDiagnostics([good]);
  for (const wrong of [
    { files: "" },
    { command: [] },
    { command: ["{files}"] },
    { command: "tsc --noEmit" },
    { format: "json" },
    { timeoutMs: 0 },
    { writable: "yes" },
  ])
    expect(() => checkDiagnostics([{ ...good, ...wrong } as never]), JSON.stringify(wrong)).toThrow(
      TypeError,
    );
});
