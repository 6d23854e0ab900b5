import { expect, test } from "vitest";
import { mayHideWhatActs } from "../../../src/kernel/people/waiting-calls.ts";
import { createRedactor } from "../../../src/shared/secrets/redact.ts";

const redactor = createRedactor(["swordfish"]);
const isHidden = (whole: string) => mayHideWhatActs(whole, redactor.text(whole));

test.each([
  "curl -H 'Authorization: Bearer abcdefghijklmnopqrstuvwxyz0123456789'",
  "echo swordfish swordfish",
  "echo swordfish [redacted]",
  "export API_KEY=abcdef0123456789abcdef; run",
])("a plain value that is not shown cannot act: %s", (text) => {
  expect(redactor.text(text)).not.toBe(text);
  expect(isHidden(text)).toBe(false);
});

test.each([
  `python3 -c '"-----BEGIN PRIVATE KEY-----"; import shutil; shutil.rmtree("/srv")'`,
  "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----",
])("a hidden part that may be a program is noticed: %j", (text) => {
  expect(redactor.text(text)).not.toBe(text);
  expect(isHidden(text)).toBe(true);
});

test("text between two marks cannot pass for the hidden part", () => {
  expect(mayHideWhatActs("a 1 b 2 c", "a [redacted] b [redacted] c")).toBe(false);
  expect(mayHideWhatActs("a rm b -rf b 2 c", "a [redacted] b [redacted] c")).toBe(true);
  expect(mayHideWhatActs("a x;y b", "a [redacted] b")).toBe(true);
  expect(mayHideWhatActs("other", "a [redacted]")).toBe(true);
});
