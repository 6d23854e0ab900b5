import { expect, test } from "vitest";
import { createRedactor } from "../../../src/shared/secrets/redact.ts";
import { fc } from "../../support/fuzz.ts";

const secrets = ["pass phrase of several words", "geheim-äöü-wert", "s3cr3t-value"];
const redactor = createRedactor(secrets);

function maskInPieces(pieces: readonly string[]): string {
  const stream = redactor.stream();
  return pieces.map((piece) => stream.add(piece)).join("") + stream.finish();
}

const words = [
  ...secrets,
  "pass phrase of",
  "Bearer abcdefghijklmnopqrstuvwxyz",
  "sk-abcdefghijklmnopqrstuvwxyz",
  "https://user:passw0rd@host/path",
  "-----BEGIN RSA PRIVATE KEY-----\nabc\ndef ghi\n-----END RSA PRIVATE KEY-----",
  "plain",
  "words",
  "你好世界",
];

const cuts = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 });

function textOf(...separators: string[]) {
  const part = fc.tuple(fc.constantFrom(...words), fc.constantFrom(...separators));
  return fc.array(part, { maxLength: 8 }).map((parts) => parts.flat().join(""));
}

function cut(text: string, sizes: readonly number[]): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += pieces.at(-1)!.length)
    pieces.push(text.slice(at, at + sizes[pieces.length % sizes.length]!));
  return pieces;
}

test("a text in pieces is masked as the whole text is, wherever it is cut", () => {
  const property = fc.property(textOf(" ", "\n", ", "), cuts, (text, sizes) => {
    expect(maskInPieces(cut(text, sizes))).toBe(redactor.text(text));
  });
  fc.assert(property, { numRuns: 2000 });
});

test("no part of a secret comes out, also where words run into each other", () => {
  const property = fc.property(textOf("", " "), cuts, (text, sizes) => {
    const masked = maskInPieces(cut(text, sizes));
    const known = [...secrets, "sk-abcdefghijklmnopqrstu", "passw0rd", "def ghi"];
    const hidden = known.filter((secret) => !redactor.text(text).includes(secret));
    for (const secret of hidden) expect(masked).not.toContain(secret);
  });
  fc.assert(property, { numRuns: 2000 });
});

test("one announced token that runs into the next is held back from the first on", () => {
  const token = "abcdefghijklmnopqrstuvwxyz";
  const text = `Bearer ${token}sk-${token}Bearer ${token}`;
  expect(maskInPieces([...text])).toBe(redactor.text(text));
});

test("text that cannot be the beginning of a secret comes at once", () => {
  const stream = redactor.stream();
  expect(stream.add("Hello wor")).toBe("Hello ");
  expect(stream.add("ld, 你好")).toBe("world, 你好");
  expect(stream.add(" pass phr")).toBe(" ");
  expect(stream.add("ase.")).toBe("pass phrase.".slice(0, 5));
});

test("a word without end is not held back for ever", () => {
  const stream = redactor.stream();
  let out = "";
  for (let count = 0; count < 2000; count += 1) out += stream.add("x".repeat(100));
  expect(out.length).toBeGreaterThan(180_000);
});
