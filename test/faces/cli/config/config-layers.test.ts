import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { readConfigLayers } from "../../../../src/faces/cli/config/config-layers.ts";
import { trustProject } from "../../../../src/kernel/policy/scopes/change-trust.ts";
import { sha256 } from "../../../../src/shared/crypto.ts";
import { temporaryFolder } from "../../../support/open-test-session.ts";

async function createPlaces(files: Record<string, string>) {
  const folder = await temporaryFolder();
  for (const [path, content] of Object.entries({ "project/.keep": "", ...files })) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  const environment = { XDG_CONFIG_HOME: join(folder, "home") };
  return {
    folder,
    read: (workspace = "project", file?: string) =>
      readConfigLayers({ workspace: join(folder, workspace), file, environment }),
    async trust(path: string) {
      const root = join(folder, path);
      const hash = sha256(files[path] ?? "");
      await trustProject(join(folder, "home/toolwright/trust.json"), { root, hash });
    },
  };
}

const userFile = "home/toolwright/config.json";
const projectFile = "project/.toolwright/config.json";

test("without any file there are no options", async () => {
  const { read } = await createPlaces({});
  expect(await read()).toEqual({ options: {}, notes: [] });
});

test("the project's options add to the user's, and count before them", async () => {
  const { read, trust } = await createPlaces({
    [userFile]: '{"dialect":"kode","secrets":["a"],"permissions":{"mode":"edit","deny":["Read(x)"]}}',
    [projectFile]: '{"dialect":"eko","secrets":["b"],"permissions":{"mode":"readonly","deny":["Read(y)"]}}',
  });
  await trust(projectFile);
  expect(await read()).toEqual({
    options: {
      dialect: "eko",
      secrets: ["a", "b"],
      permissions: { mode: "readonly", deny: ["Read(x)", "Read(y)"] },
    },
    notes: [],
  });
});

test("a server, a database or a dialect of the project's takes the place of the user's, and gets nothing of it", async () => {
  const own = { command: "own", args: ["-a"], env: { TOKEN: "the user's" } };
  const theirs = { command: "theirs", args: ["-b"] };
  const { read, trust } = await createPlaces({
    [userFile]: JSON.stringify({
      mcpServers: { hub: own, other: own },
      databases: { shop: { sqlite: "/a.db", writable: true } },
      dialect: { name: "mine", tools: {} },
    }),
    [projectFile]: JSON.stringify({
      mcpServers: { hub: theirs },
      databases: { shop: { sqlite: "/b.db" } },
      dialect: { name: "theirs" },
    }),
  });
  await trust(projectFile);
  expect((await read()).options).toEqual({
    mcpServers: { hub: theirs, other: own },
    databases: { shop: { sqlite: "/b.db" } },
    dialect: { name: "theirs" },
  });
});

test("a hook may approve for the user only if the user's own file allows it, not if a trusted project's does", async () => {
  const hook = { command: ["/bin/check"], mayApprove: true };
  const text = JSON.stringify({ hooks: { PermissionRequest: [hook] } });
  const { read, trust } = await createPlaces({ [projectFile]: text, [userFile]: text });
  await trust(projectFile);
  const { options, notes } = await read();
  expect(options.hooks?.PermissionRequest).toEqual([hook, { command: ["/bin/check"] }]);
  expect(notes).toEqual([
    expect.stringContaining("says mayApprove, which only your own configuration can say"),
  ]);
});

test("a project's file can only ask and deny until it is trusted, and again after it has changed", async () => {
  const text =
    '{"sandbox":"off","plugins":["./p.mjs"],"hooks":{"PreToolUse":[{"command":["./h"]}]},"permissions":{"allow":["Bash"],"ask":["Write"],"deny":["Read(y)"]}}';
  const { folder, read, trust } = await createPlaces({ [projectFile]: text });
  const cautious = {
    options: { permissions: { ask: ["Write"], deny: ["Read(y)"] } },
    notes: [expect.stringContaining(`${join(folder, projectFile)} can only ask and deny until you trust it`)],
  };
  expect(await read()).toEqual(cautious);
  await trust(projectFile);
  expect(await read()).toMatchObject({ options: { sandbox: "off" }, notes: [] });
  await writeFile(join(folder, projectFile), `${text} `);
  expect(await read()).toEqual(cautious);
});

test("inside a repository the file of the nearest folder above counts, and outside one none above does", async () => {
  const config = "repository/.toolwright/config.json";
  const files = {
    ".toolwright/config.json": '{"permissions":{"deny":["outermost"]}}',
    [config]: '{"permissions":{"deny":["repository"]}}',
    "repository/.git/HEAD": "",
    "repository/packages/one/.toolwright/config.json": '{"permissions":{"deny":["one"]}}',
    "repository/packages/two/a.txt": "",
  };
  const { read } = await createPlaces(files);
  const denied = async (workspace: string) => (await read(workspace)).options.permissions?.deny;
  expect(await denied("repository/packages/one")).toEqual(["one"]);
  expect(await denied("repository/packages/two")).toEqual(["repository"]);
  expect(await denied("project")).toBeUndefined();
});

test("a named file counts in place of the project's, and beside the user's", async () => {
  const { folder, read } = await createPlaces({
    [userFile]: '{"dialect":"kode","timeoutMs":5}',
    [projectFile]: '{"permissions":{"deny":["Read"]}}',
    "other.json": '{"dialect":"eko"}',
  });
  expect(await read("project", join(folder, "other.json"))).toEqual({
    options: { dialect: "eko", timeoutMs: 5 },
    notes: [],
  });
});

test.each([
  ['{"workspace":"/"}', 'remove "workspace" from it'],
  ['{"permissions":{"deny":"Read"}}', "$.permissions.deny must be"],
  ["{", "is not valid JSON"],
])("a found file with %s is an error, not silence", async (text, problem) => {
  const { read } = await createPlaces({ [projectFile]: text });
  await expect(read()).rejects.toThrow(problem);
});

test("a project's configuration that is not a regular file is refused", async () => {
  const { read } = await createPlaces({ [`${projectFile}/inner`]: "" });
  await expect(read()).rejects.toThrow("it is not a regular file");
});
