import { expect, test } from "vitest";
import { looksSecret } from "../../../src/shared/secrets/redact.ts";

const secrets = [
  "AKIAIOSFODNN7EXAMPLE",
  `ghp_${"a".repeat(36)}`,
  `gho_${"a".repeat(36)}`,
  `github_pat_${"a".repeat(60)}`,
  `glpat-${"a".repeat(20)}`,
  `npm_${"a".repeat(36)}`,
  `sk-proj-${"a".repeat(40)}`,
  `sk_live_${"a".repeat(24)}`,
  `rk_live_${"a".repeat(24)}`,
  "xoxb-123456789012-abcdef",
  `AIza${"a".repeat(35)}`,
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdefgh",
  "-----BEGIN RSA PRIVATE KEY-----",
  "Bearer abcdefghijklmnop1234",
  "postgres://ada:s3cret@db.example/x",
];

test.each(secrets)("%s shows in a short text and in a long one, wherever it stands", (secret) => {
  const filler = "nothing of interest in_here ".repeat(1000);
  for (const text of [
    secret,
    `so: ${secret}`,
    `${filler}${secret}`,
    `${secret} ${filler}`,
    filler + secret + filler,
  ])
    expect(looksSecret(text)).toBe(true);
});

test("a text that only begins like a secret does not look like one, however long it is", () => {
  const plain =
    "a task-list, npm_config, xoxo, KEY, https://example.com/a@b, AKIA and the Bearer of yJ_ and sk- ";
  expect(looksSecret(plain)).toBe(false);
  expect(looksSecret(plain.repeat(1000))).toBe(false);
});
