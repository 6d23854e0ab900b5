import { expect, test } from "vitest";
import { launchContent } from "../../../../src/capabilities/mcp-client/server-launch.ts";

const program = { command: "node", args: ["server.js"] };
const address = { url: "https://mcp.example.com" };
const [oauth, signIn] = [
  { clientId: "a", clientSecret: "b", issuer: "https://login.example.com" },
  { clientId: "a", issuer: "https://login.example.com" },
];

/** What a project may add to a server, and what it may then say instead. */
test.each<[string, object, object]>([
  ["which arguments are paths", { ...program, paths: { "*": { path: "write" } } }, program],
  ["which arguments of an address are paths", { ...address, paths: { "*": { path: "read" } } }, address],
  ["who it is to a login", { ...address, oauth }, { ...address, oauth: { ...oauth, clientId: "c" } }],
  ["what it asks a login for", { ...address, oauth }, { ...address, oauth: { ...oauth, scope: "all" } }],
  ["where a person signs in", { ...address, signIn }, { ...address, signIn: { ...signIn, scope: "all" } }],
  ["a person who signs in", { ...address, signIn: true }, address],
  ["where it runs", { ...program, cwd: "sub" }, program],
  ["what it is given of the environment", { ...program, passEnvironment: ["TOKEN"] }, program],
])("a project's server is shown and bound with %s", (_what, one, other) => {
  const [before, after] = [one, other].map((options) =>
    launchContent(options as typeof program, { showsValues: true }),
  );
  expect(before?.hash).not.toBe(after?.hash);
  expect(JSON.parse(before?.text ?? "")).toMatchObject(one);
});

test("values that code gives are not shown, and a login's secret is not among them", () => {
  const { text } = launchContent({ ...address, oauth, headers: { Key: "value" } }, { showsValues: false });
  expect(text).not.toMatch(/value|"b"/);
});
