import { describe, expect, test } from "vitest";
import { prescreenScript } from "../../../src/machine/shell-syntax/prescreen-script.ts";
import { readScript } from "../../../src/machine/shell-syntax/read-script.ts";
import { readReasons } from "./support.ts";

describe("characters that mislead", () => {
  test.each([
    ["a carriage return", "TZ=UTC\recho touch x", "U+000D"],
    ["a vertical tab", "ls\u000b-la", "U+000B"],
    ["a form feed", "ls\f-la", "U+000C"],
    ["an escape", "echo '\u001b[2J'", "U+001B"],
    ["a backspace", "ls\b", "U+0008"],
    ["delete", "ls\u007f", "U+007F"],
    ["a control beyond ASCII", "ls \u0085", "U+0085"],
    ["text turned round", "cat \u202etxt.drowssap", "U+202E"],
    ["an isolate", "cat \u2066a\u2069", "U+2066"],
    ["a space of no width", "ls\u200b -la", "U+200B"],
    ["a joiner", "cat a\u200db", "U+200D"],
    ["a byte order mark", "\ufeffls", "U+FEFF"],
    ["a soft hyphen", "cat a\u00adb", "U+00AD"],
    ["a filler letter", "cat \u3164", "U+3164"],
    ["a blank braille cell", "cat \u2800", "U+2800"],
    ["a tag character", "cat a\u{e0041}", "U+E0041"],
    ["a variation selector", "cat a\ufe0f", "U+FE0F"],
    ["a space that does not break", "ls\u00a0-la", "U+00A0"],
    ["a wide space", "ls\u3000-la", "U+3000"],
    ["a line separator", "ls\u2028rm x", "U+2028"],
    ["half of a pair", "cat \ud800", "U+D800"],
  ])("%s is named", async (_what, text, name) => {
    expect(await readReasons(text)).toContain(name);
  });

  test("tabs, line feeds and letters of any script are no problem", () => {
    expect(prescreenScript("grep -r\t'größe 日本語 😀' src\nls")).toEqual({ problems: [], mayParse: true });
  });

  test("a NUL stops the reading, because bash would read on differently", async () => {
    const script = await readScript("ls\0; touch x");
    expect(script.commands).toEqual([]);
    expect(script.problems[0]?.reason).toContain("NUL");
  });
});

describe("names and operators broken across two lines", () => {
  test.each([
    "echo $\\\nHOME",
    "echo $ho\\\nme",
    'echo "$x\\\ny"',
    "echo $\\\n[1+1]",
    "echo $\\\n(id)",
    "cat <\\\n<E",
    "a &\\\n& b",
  ])("%j is not read any further", async (text) => {
    expect(await readReasons(text)).toContain("broken across two lines");
  });

  test.each(["ls \\\n  -la", "ls |\\\nwc", "find . -na\\\nme x", "ls && \\\n\\\nwc"])(
    "%j is",
    async (text) => {
      expect(await readReasons(text)).toBe("");
    },
  );
});

describe("too much", () => {
  test("a command of a megabyte is refused before anything looks through it", () => {
    const text = `echo ${"A".repeat(1_000_000)}`;
    expect(prescreenScript(text).mayParse).toBe(false);
  });

  test("10,000 characters are read, one more is not", async () => {
    expect(await readReasons("a".repeat(10_000))).toBe("");
    expect(await readReasons("a".repeat(10_001))).toContain("longer than 10000");
  });

  test.each([
    ["braces", `echo ${"{a,".repeat(3000)}`],
    ["braces with their ends", `echo ${"{a,".repeat(600)}${"}".repeat(600)}`],
    ["brackets", "(".repeat(100)],
    ["subscripts", `echo $((${"a[".repeat(100)}`],
    ["substitutions behind quoted ends", `echo ${"')'$(".repeat(500)}`],
    ["backquotes", "`".repeat(300)],
  ])("a heap of %s is refused unparsed", (_what, text) => {
    expect(prescreenScript(text).mayParse).toBe(false);
  });
});
