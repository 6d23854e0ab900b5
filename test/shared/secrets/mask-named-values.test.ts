import { expect, test } from "vitest";
import { createRedactor } from "../../../src/shared/secrets/redact.ts";
import { fc } from "../../support/fuzz.ts";

const { text, stream } = createRedactor();

test.each([
  ["AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "AWS_SECRET_ACCESS_KEY=[redacted]"],
  ["export DB_PASSWORD='hunter2hunter2'", "export DB_PASSWORD='[redacted]'"],
  ["password: hunter2!", "password: [redacted]"],
  ['{"apiKey": "abc123def456", "port": 8080}', '{"apiKey": "[redacted]", "port": 8080}'],
  ['"{\\"client_secret\\":\\"abc123def456\\"}"', '"{\\"client_secret\\":\\"[redacted]\\"}"'],
  ["?user=ada&token=abc123def456&page=2", "?user=ada&token=[redacted]&page=2"],
  [`Your token is tw_${"a1-_".repeat(10)}abc`, "Your token is [redacted]"],
])("the value in %s is masked", (given, masked) => {
  expect(text(given)).toBe(masked);
  expect(text(masked)).toBe(masked);
});

test.each([
  "function login(password: string, token: Token1) {}",
  "const token = readToken1(file);",
  "const apiKey = process.env.API_KEY_2;",
  "password: required",
  "secret = secrets[0]",
  "tokens: 12345678",
  "The token: a word of 12 letters",
])("%s stays as it is", (given) => {
  expect(text(given)).toBe(given);
});

test("text that arrives in pieces is masked as if it came at once", () => {
  const parts = fc.constantFrom(
    "password",
    "TOKEN",
    '"',
    ": ",
    "=",
    " ",
    "abc123def",
    "x",
    "\n",
    "api_key",
    "&",
  );
  fc.assert(
    fc.property(
      fc.array(parts, { maxLength: 12 }),
      fc.array(fc.nat(6), { maxLength: 40 }),
      (words, sizes) => {
        const whole = words.join("");
        const masking = stream();
        let shown = "";
        let at = 0;
        for (const size of sizes) {
          shown += masking.add(whole.slice(at, at + size));
          at += size;
        }
        shown += masking.add(whole.slice(at)) + masking.finish();
        expect(shown).toBe(text(whole));
      },
    ),
  );
});
