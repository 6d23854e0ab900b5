import { mkdir, readdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openFileSession } from "../../support/open-file-session.ts";

async function openInternal() {
  const opened = await openFileSession(
    { "a.txt": "one", "src/b.ts": "const b = 1;\n", "src/deep/c.ts": "c" },
    { dialect: "internal" },
  );
  const call = (action: string, input: object = {}) => opened.session.call(`internal_file_${action}`, input);
  const schema = (action: string) =>
    opened.session.tools().find(({ name }) => name === `internal_file_${action}`)?.inputSchema;
  return { ...opened, call, schema };
}

test("N3: the tools are in groups for files, code, the system, the network and databases", async () => {
  const { runtime } = await openInternal();
  expect(runtime.tools.groups()).toMatchObject({
    file: expect.arrayContaining(["internal_file_read", "internal_file_copy"]),
    code: expect.arrayContaining(["internal_code_search", "internal_code_analyze", "internal_code_format"]),
    system: expect.arrayContaining([
      "internal_system_execute",
      "internal_system_info",
      "internal_system_env",
    ]),
    database: ["internal_database_query", "internal_database_update"],
    network: expect.arrayContaining(["internal_network_request", "internal_network_download"]),
  });
});

test("N4: the nine tools are there and work", async () => {
  const { session, call } = await openInternal();
  const { session: running } = await openFileSession(
    {},
    { dialect: "internal", permissions: { mode: "auto" } },
  );
  expect((await call("read", { path: "a.txt" })).text).toContain("one");
  expect((await call("list")).status).toBe("done");
  expect((await call("write", { path: "new.txt", content: "new" })).status).toBe("done");
  expect((await call("mkdir", { path: "made" })).status).toBe("done");
  expect((await call("move", { source: "new.txt", destination: "made/new.txt" })).status).toBe("done");
  expect((await call("copy", { source: "made", destination: "copied" })).status).toBe("done");
  expect((await call("delete", { path: "made/new.txt" })).status).toBe("done");
  expect(await session.call("internal_code_search", { query: "const b", searchPath: "src" })).toMatchObject({
    status: "done",
    text: expect.stringContaining("src/b.ts:1:"),
  });
  expect((await running.call("internal_system_execute", { command: "echo hi" })).text).toContain("hi");
});

test("N5: a listing tells name, path, type, size and time of each entry, of the project's root by default, deeper when asked", async () => {
  const { call, schema, workspace } = await openInternal();
  await symlink("nowhere", join(workspace, "dangling"));
  expect(schema("list")?.properties).toMatchObject({ recursive: { type: "boolean", default: false } });
  const list = async (input: object = {}) => {
    const { entries } = (await call("list", input)).data as { entries: { path: string }[] };
    return entries;
  };
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
  expect(await list()).toMatchObject([
    { name: "a.txt", path: "a.txt", type: "file", size: 3, mtime: time },
    { name: "dangling", path: "dangling", type: "link" },
    { name: "src", path: "src", type: "directory", mtime: time },
  ]);
  const paths = async (input: object) => (await list(input)).map(({ path }) => path).toSorted();
  expect(await paths({ path: "src" })).toEqual(["src/b.ts", "src/deep"]);
  expect(await paths({ path: "src", recursive: true })).toEqual(["src/b.ts", "src/deep", "src/deep/c.ts"]);
});

test("N6: deleting a folder that is not empty needs recursive, which is off by default", async () => {
  const { call, schema, workspace } = await openInternal();
  await mkdir(join(workspace, "empty"));
  expect(schema("delete")).toMatchObject({
    required: ["path"],
    properties: { recursive: { default: false } },
  });
  expect((await call("delete", { path: "src" })).status).toBe("failed");
  expect((await call("delete", { path: "empty" })).status).toBe("done");
  expect((await call("delete", { path: "src", recursive: true })).status).toBe("done");
  expect((await call("delete", { path: ".", recursive: true })).status).toBe("failed");
  expect(await readdir(workspace)).toEqual(["a.txt"]);
});

test("N7: a folder is made with those above it, unless recursive is off", async () => {
  const { call, schema, workspace } = await openInternal();
  expect(schema("mkdir")).toMatchObject({ required: ["path"], properties: { recursive: { default: true } } });
  expect((await call("mkdir", { path: "x/y", recursive: false })).error?.code).toBe("not-found");
  expect((await call("mkdir", { path: "x/y" })).status).toBe("done");
  expect(await readdir(join(workspace, "x"))).toEqual(["y"]);
});

test("N8: a file or folder is moved from its source to its destination, and nothing there is overwritten", async () => {
  const { call, schema, workspace } = await openInternal();
  expect(schema("move")?.required).toEqual(["source", "destination"]);
  expect((await call("move", { source: "src", destination: "moved/here" })).status).toBe("done");
  expect(await readFile(join(workspace, "moved/here/deep/c.ts"), "utf8")).toBe("c");
  expect((await call("move", { source: "a.txt", destination: "moved/here" })).error?.code).toBe(
    "already-exists",
  );
  expect(await readdir(workspace)).toEqual(["a.txt", "moved"]);
});

test("N9: a file or a folder with everything in it is copied", async () => {
  const { call, schema, workspace } = await openInternal();
  expect(schema("copy")?.required).toEqual(["source", "destination"]);
  expect((await call("copy", { source: "a.txt", destination: "backup/a.txt" })).status).toBe("done");
  expect((await call("copy", { source: "src", destination: "backup/src" })).status).toBe("done");
  expect(await readFile(join(workspace, "backup/a.txt"), "utf8")).toBe("one");
  expect(await readFile(join(workspace, "backup/src/deep/c.ts"), "utf8")).toBe("c");
  expect(await readFile(join(workspace, "src/deep/c.ts"), "utf8")).toBe("c");
});
