import { expect, test } from "vitest";
import { createRedactor } from "../../../src/shared/secrets/redact.ts";

const { text, value, named } = createRedactor(["tr0ub4dor&3", "abc"]);

test.each([
  ["AWS key", "AKIAIOSFODNN7EXAMPLE"],
  ["GitHub token", `ghp_${"a".repeat(36)}`],
  ["GitHub fine-grained token", `github_pat_${"a".repeat(60)}`],
  ["GitLab token", `glpat-${"a".repeat(20)}`],
  ["npm token", `npm_${"a".repeat(36)}`],
  ["OpenAI key", `sk-proj-${"a".repeat(40)}`],
  ["Anthropic key", `sk-ant-api03-${"a".repeat(40)}`],
  ["Stripe key", `sk_live_${"a".repeat(24)}`],
  ["Slack token", "xoxb-123456789012-abcdef"],
  ["Google key", `AIza${"a".repeat(35)}`],
  ["JSON web token", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdefgh"],
  ["private key", "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----"],
  ["a secret it was told of", "tr0ub4dor&3"],
])("%s is masked wherever it stands", (_what, secret) => {
  expect(text(`before ${secret} after`)).toBe("before [redacted] after");
});

test("only the secret part of a header or an address goes", () => {
  expect(text("Authorization: Bearer abcdefghijklmnop1234")).toBe("Authorization: Bearer [redacted]");
  expect(text("postgres://ada:s3cret@db.example/x")).toBe("postgres://ada:[redacted]@db.example/x");
});

test("ordinary text stays as it is, and so does a secret too short to look for", () => {
  for (const plain of ["a task-list", "see https://example.com/a@b", "abc", "sk-short", "user:pass"]) {
    expect(text(plain)).toBe(plain);
  }
});

test("values under telling names are masked at any depth, and nothing is copied where nothing changes", () => {
  const plain = { a: [{ b: "c" }] };
  expect(value(plain)).toBe(plain);
  expect(
    value({ user: { apiKey: "k", api_key: "k", AUTH_TOKEN: "k", token_count: 3, tokens: "7" } }),
  ).toEqual({
    user: {
      apiKey: "[redacted]",
      api_key: "[redacted]",
      AUTH_TOKEN: "[redacted]",
      token_count: 3,
      tokens: "7",
    },
  });
});

test("telling names are known in every spelling, and harmless ones that look like them are not", () => {
  const names = [
    "clientSecret",
    "apiKey",
    "accessToken",
    "dbPassword",
    "x-api-key",
    "openaiAPIKey",
    "awsCredentials",
  ];
  for (const name of names) expect(value({ [name]: "k" }), name).toEqual({ [name]: "[redacted]" });
  for (const name of ["maxTokens", "tokenCount", "secretary", "monkey", "keyToken2", "Tokenizer"])
    expect(value({ [name]: "k" }), name).toEqual({ [name]: "k" });
});

test("a secret with quotes or line breaks is found as it stands, as JSON writes it, and line by line", () => {
  const redactor = createRedactor(['pass"word\\one', "first line\n      \n  second line\nend"]);
  expect(redactor.text('is pass"word\\one.')).toBe("is [redacted].");
  expect(redactor.text(JSON.stringify({ a: 'pass"word\\one' }))).toBe('{"a":"[redacted]"}');
  expect(redactor.text(JSON.stringify(["first line\n      \n  second line\nend"]))).toBe('["[redacted]"]');
  expect(redactor.text("1 first line\n2       \n3  second line\n4 end")).toBe(
    "1 [redacted]\n2       \n3  [redacted]\n4 end",
  );
});

test("names that are secrets themselves are masked, and every other field keeps its place", () => {
  const token = `ghp_${"a".repeat(36)}`;
  const masked = value({ first: 1, [token]: { on: true }, last: 2 });
  expect(JSON.stringify(masked)).toBe('{"first":1,"[redacted]":{"on":true},"last":2}');
});

test("a value that is not a plain object is masked as JSON would show it", () => {
  class Account {
    readonly user = "ada";
    readonly password = "hunter2";
  }
  const ownForm = { toJSON: () => ({ token: "hunter2" }) };
  const bytes = Buffer.from("hunter2");
  expect(value({ account: new Account(), ownForm, bytes })).toEqual({
    account: { user: "ada", password: "[redacted]" },
    ownForm: { token: "[redacted]" },
    bytes,
  });
  const date = new Date(0);
  expect(value(date)).toBe(date);
});

test("masking by name alone leaves every other string as it is", () => {
  const line = "key AKIAIOSFODNN7EXAMPLE";
  expect(named({ line, password: "hunter2" })).toEqual({ line, password: "[redacted]" });
});

test("one secret among thousands of strings is masked, and nothing else", () => {
  const rows = Array.from({ length: 5000 }, (_, index) => ({ path: `folder/file-${index}.ts`, size: index }));
  expect(value(rows)).toBe(rows);
  const secret = { path: `ghp_${"a".repeat(36)}`, size: 1 };
  const withSecret = [...rows, secret];
  expect(value(withSecret)).toEqual([...rows, { path: "[redacted]", size: 1 }]);
  expect(value([...rows, { token: "k" }])).toEqual([...rows, { token: "[redacted]" }]);
  const longLast = value([...rows, `tr0ub4dor&3 ${"long ".repeat(5000)}`]) as string[];
  expect(longLast.at(-1)).toMatch(/^\[redacted\] long /);
});

test("two strings side by side make no secret, and neither does a name that was harmless before", () => {
  const halves = ["AKIAIOSFODNN", "7EXAMPLE", "tr0ub4", "dor&3"];
  expect(value(halves)).toBe(halves);
  expect(value({ name: "first", list: [] })).toEqual({ name: "first", list: [] });
  expect(value({ name: "tr0ub4dor&3", list: ["tr0ub4dor&3"] })).toEqual({
    name: "[redacted]",
    list: ["[redacted]"],
  });
});

test("a secret that stands as a name, or in a value with a JSON form of its own, is masked", () => {
  expect(value({ "tr0ub4dor&3": 1 })).toEqual({ "[redacted]": 1 });
  expect(value([{ toJSON: () => ({ password: "k" }) }])).toEqual([{ password: "[redacted]" }]);
});
