import { expect, test } from "vitest";
import { foldName } from "../../../src/shared/glob/fold-name.ts";
import { createStarMatcher } from "../../../src/shared/glob/name-pieces.ts";
import { createNameTest } from "../../../src/shared/glob/name-test.ts";
import { fc } from "../../support/fuzz.ts";

const isSensitive = createNameTest([".env*", "*.pem", "id_*", ".ssh"]);

test.each([
  ".env",
  ".ENV.local",
  ".env. ",
  ".e\u200bnv",
  "\uff0eenv",
  "server.PEM",
  "server.pem.",
  "server.pem::$DATA",
  "ID_rsa",
  "\u0131d_rsa",
  ".\u017f\u017fh",
  ".ssh:x",
])("%j is one of the names in another spelling", (name) => {
  expect(isSensitive(name)).toBe(true);
});

test.each([
  ["behind a colon", "notes:server.pem"],
  ["before what folding makes one letter with it", ".env\u0303"],
])("a name counts as it is written as well, %s", (_, name) => {
  expect(isSensitive(name)).toBe(true);
});

test.each(["env", ".en", "pem", "a.pem.txt", "xid_", ".sshx", "x.ssh", "index.js", "form", ""])(
  "%j is not one of the names",
  (name) => {
    expect(isSensitive(name)).toBe(false);
  },
);

test("no quick look changes what a name is taken for", () => {
  const pattern = fc.string({
    unit: fc.constantFrom("a", "b", ".", "-", "~", "]", "*"),
    minLength: 1,
    maxLength: 4,
  });
  const name = fc.string({
    unit: fc.constantFrom("a", "A", "b", ".", "-", "~", "]", "^", " ", ":", "\u200b", "\uff41", "\u0303"),
    maxLength: 6,
  });
  fc.assert(
    fc.property(fc.array(pattern, { maxLength: 4 }), name, (patterns, text) => {
      const expressions = patterns.map(
        (each) => new RegExp(`^${each.replace(/[.\]]/g, "\\$&").replaceAll("*", ".*")}$`, "s"),
      );
      const expected = [text.toLowerCase(), foldName(text)].some((spelling) =>
        expressions.some((expression) => expression.test(spelling)),
      );
      expect(createNameTest(patterns)(text)).toBe(expected);
    }),
    { numRuns: 5000 },
  );
});

test("an exception holds for exactly its spelling", () => {
  const isSensitive = createNameTest([".env*", "!.env.example"]);
  const others = [
    ".env",
    ".env.example.",
    ".ENV.example",
    ".env.example ",
    ".env.example.local",
    ".env.\u200bexample",
  ];
  for (const name of others) expect([name, isSensitive(name)]).toEqual([name, true]);
  expect(isSensitive(".env.example")).toBe(false);
});

test("a star matcher says of every short pattern and text the same as the expression it stands for", () => {
  const patterns = words("ab*", 5);
  const texts = words("ab", 6);
  for (const pattern of patterns) {
    const matches = createStarMatcher(pattern);
    const expression = new RegExp(`^${pattern.replaceAll("*", ".*")}$`);
    const different = texts.filter((text) => matches(text) !== expression.test(text));
    expect([pattern, different]).toEqual([pattern, []]);
  }
});

test("characters with a meaning in expressions stand for themselves, and a line break is a character like any other", () => {
  expect(createStarMatcher("a.b(*)")("a.b(c)")).toBe(true);
  expect(createStarMatcher("a.b")("axb")).toBe(false);
  expect(createStarMatcher("a*b")("a\nb")).toBe(true);
});

test("many stars cost no more than few", () => {
  const matches = createStarMatcher(`${"*a".repeat(5000)}b`);
  expect(matches("a".repeat(1_000_000))).toBe(false);
});

/** All words of up to so many of these letters. */
function words(letters: string, most: number): string[] {
  let last = [""];
  const all = [""];
  for (let length = 1; length <= most; length++) {
    last = last.flatMap((word) => [...letters].map((letter) => word + letter));
    all.push(...last);
  }
  return all;
}
