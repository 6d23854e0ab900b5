import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { fileOfAddress } from "../../../../src/capabilities/mcp-client/offered/tool-maker.ts";
import type { McpServerOptions } from "../../../../src/capabilities/mcp-client/server-options.ts";
import type { RuntimeOptions } from "../../../../src/index.ts";
import { openTestSession, temporaryFolder } from "../../../support/open-test-session.ts";
import { openWithServers } from "../open-with-servers.ts";
import { define, sampleServer } from "../sample-servers.ts";

const any = { inputSchema: { type: "object", additionalProperties: true } } as const;

async function openWith(permissions: NonNullable<RuntimeOptions["permissions"]>, server: object = {}) {
  const workspace = await temporaryFolder();
  await mkdir(join(workspace, "secrets"));
  await writeFile(join(workspace, "secrets/k.txt"), "hush");
  await writeFile(join(workspace, "a.txt"), "");
  await symlink("secrets/k.txt", join(workspace, "link"));
  const sample = await sampleServer([define("read_it", any), define("move_it", any)]);
  const paths: NonNullable<McpServerOptions["paths"]> = {
    "read_*": { path: "read", paths: "read" },
    move_it: { source: "read-write", destination: "write" },
  };
  const mcpServers = { files: { ...sample.options, paths, ...server } };
  const { session } = await openWithServers({ workspace, mcpServers, permissions });
  const decisionOn = async (tool: string, input: object) =>
    (await session.explain(`mcp__files__${tool}`, input)).decision;
  return { workspace, session, decisionOn };
}

test("rules on paths bind the arguments that a server's options name, however a path is written", async () => {
  const { workspace, decisionOn } = await openWith({
    mode: "auto",
    deny: ["Read(secrets/**)", "Edit(a.txt)"],
  });
  for (const path of [
    "secrets/k.txt",
    "link",
    join(workspace, "secrets/k.txt"),
    pathToFileURL(join(workspace, "secrets/k.txt")).href,
    "secrets",
    ".",
  ]) {
    expect([path, await decisionOn("read_it", { path })]).toEqual([path, "deny"]);
  }
  expect(await decisionOn("read_it", { path: "a.txt" })).toBe("allow");
  expect(await decisionOn("read_it", { paths: ["a.txt", "secrets/k.txt"] })).toBe("deny");
  expect(await decisionOn("read_it", {})).toBe("allow");
  expect(await decisionOn("move_it", { source: "a.txt", destination: "b.txt" })).toBe("deny");
  expect(await decisionOn("move_it", { source: "secrets/k.txt", destination: "b.txt" })).toBe("deny");
  expect(await decisionOn("move_it", { source: "c.txt", destination: "a.txt" })).toBe("deny");
  expect(await decisionOn("move_it", { source: "c.txt", destination: "b.txt" })).toBe("allow");
});

test("an address that is too long to name a file, unless by going up and down, is refused", async () => {
  const { workspace, session } = await openWith({ mode: "auto", deny: ["Read(secrets/**)"] });
  const path = pathToFileURL(join(workspace, "secrets")).href + "/../secrets".repeat(2000);
  await expect(session.call("mcp__files__read_it", { path: `${path}/k.txt` })).resolves.toMatchObject({
    status: "denied",
    error: { code: "permission-denied" },
  });
  const options = { command: "server" };
  expect(fileOfAddress(options, { uri: "file:///a" })).toMatchObject([{ action: "read", target: "/a" }]);
  expect(() => fileOfAddress(options, { uri: `${path}/k.txt` })).toThrow("more than 12388 characters");
});

test("naming paths allows nothing more, and what is outside the workspace asks", async () => {
  const { decisionOn } = await openWith({ mode: "edit", allow: ["Edit(**)", "Read(**)"] });
  expect(await decisionOn("move_it", { source: "c.txt", destination: "b.txt" })).toBe("ask");
  const all = await openWith({ mode: "ask", allow: ["mcp__files"] });
  expect(await all.decisionOn("read_it", { path: "a.txt" })).toBe("allow");
  expect(await all.decisionOn("read_it", { path: "/etc/hostname" })).toBe("ask");
});

test("an argument that is no path is refused, and a relative one begins at the server's folder", async () => {
  const { session } = await openWith({ mode: "auto" });
  expect(
    (await session.call("mcp__files__read_it", { path: { deep: "secrets/k.txt" } })).error,
  ).toMatchObject({
    code: "permission-denied",
    message: expect.stringContaining("path is declared to be a path"),
  });
  const { decisionOn } = await openWith({ mode: "auto", deny: ["Read(secrets/**)"] }, { cwd: "secrets" });
  expect(await decisionOn("read_it", { path: "k.txt" })).toBe("deny");
});

test.each([
  [{ read_it: { path: "reads" } }, "reads"],
  [{ read_it: "read" }, "read_it"],
  [["read_it"], "paths"],
])("paths: %j is refused", async (paths, named) => {
  const options = { mcpServers: { files: { command: "none", paths } } } as unknown as RuntimeOptions;
  await expect(openTestSession(options)).rejects.toThrow(named);
});
