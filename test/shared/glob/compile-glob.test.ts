import picomatch from "picomatch";
import { expect, test } from "vitest";
import { compileGlob } from "../../../src/shared/glob/compile-glob.ts";
import { fc } from "../../support/fuzz.ts";

test.each([
  ["*.ts", "a.ts", true],
  ["*.*", "a.", true],
  ["*.ts", "src/a.ts", false],
  ["**/*.ts", "a.ts", true],
  ["**/*.ts", "src/deep/a.ts", true],
  ["src/**/a.ts", "src/a.ts", true],
  ["src/**", "src/.hidden/a", true],
  ["src/**", "srcs/a", false],
  ["src/**", "src", false],
  ["src/", "src/deep/a.ts", true],
  ["./src/*.ts", "src/a.ts", true],
  ["*.{ts,tsx}", "a.tsx", true],
  ["{src,test}/**/*.{j,t}s", "test/x/a.js", true],
  ["a{b,c{d,e}}f", "acef", true],
  ["{{a,b}{c,d}}", "{bd}", true],
  ["{a}", "{a}", true],
  ["{a,b", "{a,b", true],
  ["a?c", "abc", true],
  ["a?c", "a/c", false],
  ["[a-c]x", "bx", true],
  ["[!a-c]x", "bx", false],
  ["[^a-c]x", "dx", true],
  ["[]]x", "]x", true],
  ["[ab", "[ab", true],
  ["\\*.ts", "*.ts", true],
  ["\\*.ts", "a.ts", false],
  ["!*.ts", "a.js", true],
  ["!*.ts", "a.ts", false],
  ["!!*.ts", "a.ts", true],
  ["*", ".env", true],
  ["日本*", "日本語", true],
  ["*a*b*", "xaxxbx", true],
  ["*a*b*", "xbxxax", false],
])("%s on %s: %s", (pattern, path, expected) => {
  expect(compileGlob(pattern)(path)).toBe(expected);
});

test("a pattern without a slash matches at any depth where that is asked for", () => {
  const matches = compileGlob("*.ts", { anyDepth: true });
  expect([matches("a.ts"), matches("src/deep/a.ts"), matches("a.js")]).toEqual([true, true, false]);
  const anchored = compileGlob("src/*.ts", { anyDepth: true });
  expect([anchored("src/a.ts"), anchored("packages/src/a.ts")]).toEqual([true, false]);
  expect(compileGlob("/a.ts", { anyDepth: true })("src/a.ts")).toBe(false);
  expect(compileGlob("!*.test.ts", { anyDepth: true })("src/a.test.ts")).toBe(false);
});

test("compileGlob says the same as picomatch of any pattern of names, wildcards, braces and folders", () => {
  const segment = fc
    .array(fc.constantFrom("a", "b", ".", "-", "*", "?", "[ab]", "[^a]", "{a,b}", "{b,ab}"), {
      minLength: 1,
      maxLength: 4,
    })
    .map((parts) => parts.join("").replace(/\*+/g, "*"))
    .filter((text) => !/^\.+$/.test(text));
  const pattern = fc
    .array(fc.oneof({ weight: 3, arbitrary: segment }, { weight: 1, arbitrary: fc.constant("**") }), {
      minLength: 1,
      maxLength: 4,
    })
    .map((segments) => segments.join("/"));
  const name = fc
    .string({ unit: fc.constantFrom("a", "b", ".", "-"), minLength: 1, maxLength: 4 })
    // To picomatch `*.*` does not mean `a.`, which it does to a shell and to us.
    .filter((text) => !text.endsWith("."));
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));
  fc.assert(
    fc.property(pattern, path, (glob, file) => {
      const reference = picomatch(glob, { dot: true, noextglob: true, strictSlashes: true });
      expect(compileGlob(glob)(file)).toBe(reference(file));
    }),
    { numRuns: 2000 },
  );
});

test("compileGlob refuses braces that stand for too many patterns, and patterns that are no path", () => {
  expect(() => compileGlob("{a,b}".repeat(30))).toThrow("more than 1000 patterns");
  expect(() => compileGlob("{a,".repeat(1300))).not.toThrow();
  expect(() => compileGlob("a".repeat(5000))).toThrow("longer than 4096");
  expect(() => compileGlob("../*.ts")).toThrow("contains ..");
});
