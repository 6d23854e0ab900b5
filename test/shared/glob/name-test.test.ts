import { expect, test } from "vitest";
import { foldName } from "../../../src/shared/glob/fold-name.ts";
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
  "%j is none of them",
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
