import { describe, expect, test } from "vitest";
import { ToolError } from "../../src/tool/index.ts";
import { type ContentPart, normalizeResult } from "../../src/tool/tool-result.ts";

const text = (value: string): ContentPart => ({ type: "text", text: value });

describe("every kind of return value becomes parts, one text and data", () => {
  test("a string is its own text and no data", () => {
    expect(normalizeResult("hello")).toEqual({ content: [text("hello")], text: "hello" });
    expect(normalizeResult("")).toEqual({ content: [text("")], text: "" });
  });

  test.each([[{ a: [1] }], [[1, 2]], [5], [0], [true], [false], [null]])(
    "%j is written as JSON and kept as data",
    (value) => {
      const json = JSON.stringify(value);
      expect(normalizeResult(value)).toEqual({ content: [text(json)], text: json, data: value });
    },
  );

  test("nothing is an empty result", () => {
    expect(normalizeResult(undefined)).toEqual({ content: [], text: "" });
  });

  test("toText decides what the model reads, and data stays", () => {
    expect(normalizeResult({ n: 1 }, ({ n }: { n: number }) => `n is ${n}`)).toEqual({
      content: [text("n is 1")],
      text: "n is 1",
      data: { n: 1 },
    });
    expect(normalizeResult(undefined, () => "nothing to say")).toEqual({
      content: [text("nothing to say")],
      text: "nothing to say",
    });
  });

  test("parts stay parts, and read as one text", () => {
    const content: ContentPart[] = [
      text("look:"),
      { type: "image", data: "AAAA", mimeType: "image/png" },
      { type: "image", data: "AA==", mimeType: "image/png" },
      { type: "structured", data: { a: 1 } },
    ];
    expect(normalizeResult({ content })).toEqual({
      content,
      text: 'look:\n[image image/png, 3 bytes]\n[image image/png, 1 byte]\n{"a":1}',
      data: { a: 1 },
    });
  });

  test("a recording, a resource and a link are told of in words", () => {
    const content: ContentPart[] = [
      { type: "audio", data: "AAAA", mimeType: "audio/wav" },
      { type: "resource", uri: "file:///a.txt", mimeType: "text/plain", text: "one\ntwo" },
      { type: "resource", uri: "file:///b.pdf", mimeType: "application/pdf", blob: "AAAA" },
      { type: "resource", uri: "file:///c", blob: "" },
      { type: "resource", uri: "file:///d", text: "" },
      { type: "link", uri: "https://example.com/e", name: "E" },
      { type: "link", uri: "https://example.com/f", name: "F", description: "All of it" },
    ];
    expect(normalizeResult({ content })).toEqual({
      content,
      text: [
        "[audio audio/wav, 3 bytes]",
        "[file:///a.txt]\none\ntwo",
        "[file:///b.pdf application/pdf, 3 bytes]",
        "[file:///c, 0 bytes]",
        "[file:///d]\n",
        "[E: https://example.com/e]",
        "[F: https://example.com/f] All of it",
      ].join("\n"),
    });
  });

  test("data beside parts wins over a structured part, even when it is null", () => {
    const content: ContentPart[] = [{ type: "structured", data: 1 }];
    expect(normalizeResult({ content, data: null }).data).toBeNull();
  });

  test("something that only looks like parts is plain data", () => {
    for (const value of [
      { content: [] },
      { content: [{ type: "video" }] },
      { content: "text" },
      { content: [text("a"), null] },
      { content: [{ type: "audio", data: "AAAA" }] },
      { content: [{ type: "resource", uri: "file:///a" }] },
      { content: [{ type: "resource", uri: "file:///a", text: "a", blob: "AAAA" }] },
      { content: [{ type: "resource", uri: "file:///a", text: "a", mimeType: 5 }] },
      { content: [{ type: "link", uri: "file:///a" }] },
    ]) {
      expect(normalizeResult(value)).toMatchObject({ text: JSON.stringify(value), data: value });
    }
  });
});

describe("what cannot be written as JSON is one clear error", () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  const cases: [string, unknown, RegExp][] = [
    ["a bigint", 1n, /BigInt/],
    ["a bigint inside", { n: 1n }, /BigInt/],
    ["a cycle", cycle, /circular structure/],
    ["a function", () => {}, /a function is not a JSON value/],
    ["a symbol", Symbol("s"), /a symbol is not a JSON value/],
    ["a cycle in a structured part", { content: [{ type: "structured", data: cycle }] }, /circular/],
    ["a bigint beside parts", { content: [text("a")], data: 1n }, /BigInt/],
  ];
  test.each(cases)("%s", (_what, value, message) => {
    const attempt = () => normalizeResult(value);
    expect(attempt).toThrow(ToolError);
    expect(attempt).toThrow(message);
    expect(attempt).toThrow(
      expect.objectContaining({ code: "invalid-output", hint: expect.stringContaining("Return text") }),
    );
  });

  test("also when toText would have hidden it", () => {
    expect(() => normalizeResult(cycle, () => "fine")).toThrow(/circular/);
  });

  test("a toText that returns no text", () => {
    expect(() => normalizeResult(1, (() => undefined) as never)).toThrow("toText must return a string");
  });
});
