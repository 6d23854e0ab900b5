import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readProjectFile } from "../../../src/capabilities/mcp-client/server-file.ts";
import { temporaryFolder } from "../../support/open-test-session.ts";

/** Reads `.toolwright/mcp.json` with this content, beside a `.mcp.json` of another program. */
async function readProject(content: object, theirs: object = {}) {
  const workspace = await temporaryFolder();
  const file = join(workspace, ".toolwright", "mcp.json");
  await mkdir(join(workspace, ".toolwright"));
  await writeFile(file, JSON.stringify(content));
  await writeFile(join(workspace, ".mcp.json"), JSON.stringify(theirs));
  return readProjectFile(file);
}

const server = { command: "server" };

test.each([
  ["exclud", ["*"], "exclud is not an option; did you mean exclude?"],
  ["path", { x: { p: "read" } }, "path is not an option; did you mean paths?"],
  ["timeout", 5, "timeout is not an option; did you mean timeoutMs?"],
  ["alwaysAllow", ["x"], "alwaysAllow is not an option; known here: type, command"],
  ["signIn", { clientid: "x" }, "signIn.clientid is not an option; did you mean signIn.clientId?"],
])("in the project's own file, a server with the unknown key %s is not used", async (key, given, message) => {
  const { servers, problems } = await readProject({
    mcpServers: { odd: { ...server, [key]: given }, server },
  });
  expect([...servers.keys()]).toEqual(["server"]);
  expect(problems).toEqual([
    { subject: "odd", message: expect.stringContaining(`MCP server odd: ${message}`) },
  ]);
});

test("an unknown key of the file itself is refused", async () => {
  await expect(readProject({ mcpServer: { server } })).rejects.toThrow(
    /mcp\.json: mcpServer is not an option; did you mean mcpServers\?$/,
  );
});

test("files of other programs may say more, and some things by other names", async () => {
  const theirs = { mcpServers: { a: { ...server, alwaysAllow: ["x"], disabled: true } }, inputs: [] };
  const own = {
    b: { url: "https://example.com", type: "streamable-http" },
    c: { ...server, disabled: true },
  };
  const { servers, problems } = await readProject({ import: [".mcp.json"], mcpServers: own }, theirs);
  expect(problems).toEqual([]);
  expect(Object.fromEntries(servers)).toEqual({
    a: { command: "server", enabled: false },
    b: { url: "https://example.com", type: "http" },
    c: { command: "server", enabled: false },
  });
});

test("a file that lists thousands of servers is not used, and one entry says why", async () => {
  const many = Object.fromEntries(Array.from({ length: 8000 }, (_, index) => [`s${index}`, server]));
  await expect(readProject({ mcpServers: many })).rejects.toThrow(
    "at most 100 servers can be used; it lists 8000",
  );
  const { servers, problems } = await readProject(
    { mcpServers: { server }, import: [".mcp.json"] },
    { mcpServers: many },
  );
  expect([...servers.keys()]).toEqual(["server"]);
  expect(problems).toHaveLength(1);
  await expect(readProject({ import: Array.from({ length: 11 }, () => ".mcp.json") })).rejects.toThrow(
    "at most 10",
  );
});
