import { execFile } from "node:child_process";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { openWorkspace } from "../../../../src/capabilities/files/workspace.ts";
import type { Floor, PathAction } from "../../../../src/kernel/policy/paths/judge-path.ts";
import type { WorkspacePaths } from "../../../../src/kernel/policy/paths/workspace-paths.ts";
import type { ResolveOptions } from "../../../../src/machine/paths/place.ts";
import { temporaryWorkspace } from "../../../capabilities/files/temporary-workspace.ts";
import { fc } from "../../../support/fuzz.ts";

test("judgePath has nothing to say about ordinary files", async () => {
  const { workspace } = await temporaryWorkspace({ "a.txt": "a", ".gitx/f": "x", ".gitignore": "x" });
  for (const path of ["a.txt", "new/b.txt", ".gitx/f", ".gitignore", "environment", "grid_1", "pem"]) {
    expect(await floorOf(workspace, path, "read")).toBeUndefined();
    expect(await floorOf(workspace, path, "write")).toBeUndefined();
  }
});

test("judgePath denies a path that leads outside, for reading and writing", async () => {
  const { root, outside, workspace } = await temporaryWorkspace();
  await symlink(join(outside, "created.txt"), join(root, "dangling"));
  for (const path of ["..", join(outside, "x"), "dangling", "../work-evil/s.txt"]) {
    for (const action of ["read", "write"] as const) {
      expect(await floorOf(workspace, path, action)).toMatchObject({ decision: "deny" });
    }
  }
});

test("judgePath allows deleting a link that leads outside, because the link is inside", async () => {
  const { root, outside, workspace } = await temporaryWorkspace();
  await symlink(outside, join(root, "link"));
  expect(await floorOf(workspace, "link", "write", { followLast: false })).toBeUndefined();
});

test("judgePath denies writing to a root that may only be read", async () => {
  const { root, outside } = await temporaryWorkspace();
  const workspace = await openWorkspace({ root, readableRoots: [outside] });
  expect(await floorOf(workspace, join(outside, "x"), "read")).toBeUndefined();
  expect(await floorOf(workspace, join(outside, "x"), "write")).toMatchObject({ decision: "deny" });
});

test("judgePath asks before writing what is loaded as code, and before moving or replacing it", async () => {
  const { root } = await temporaryWorkspace({ "our/tools/text/shout.ts": "", "our/a.txt": "" });
  await symlink("our/tools", join(root, "link"));
  const codePaths = [join(root, "our/tools"), join(root, "plugin.mjs")];
  const workspace = await openWorkspace({ root, codePaths });
  for (const path of [
    "our/tools/text/shout.ts",
    "our/tools/new.mjs",
    "link/x",
    "our",
    "our/tools",
    "plugin.mjs",
  ]) {
    expect(await floorOf(workspace, path, "write")).toMatchObject({
      decision: "ask",
      reason: expect.stringMatching(/^(\S+) may run as code later \(Toolwright loads \//),
    });
    expect(await floorOf(workspace, path, "read")).toBeUndefined();
  }
  for (const path of ["our/a.txt", "our/tools-old/x", "tools", "."])
    expect(await floorOf(workspace, path, "write")).toBeUndefined();
});

test("judgePath denies pipes, for reading and writing", async () => {
  const { root, workspace } = await temporaryWorkspace();
  await promisify(execFile)("mkfifo", [join(root, "pipe")]);
  expect(await floorOf(workspace, "pipe", "read")).toMatchObject({ decision: "deny" });
  expect(await floorOf(workspace, "pipe", "write")).toMatchObject({ decision: "deny" });
});

test.each([
  ".git",
  ".git/config",
  ".git/hooks/post-checkout",
  "sub/.git/hooks/post-checkout",
  ".GIT/config",
  ".g\u200cit/config",
  "\uff0egit/config",
  ".git./config",
  ".git /config",
  ".git::$INDEX_ALLOCATION/config",
  "git~1/config",
  ".mcp.json",
  ".vscode/tasks.json",
  ".idea/workspace.xml",
  ".husky/pre-commit",
  ".envrc",
  ".toolwright/config.json",
  ".bashrc",
  "home/.ZSHRC",
])("judgePath asks before writing %s", async (path) => {
  const { workspace } = await temporaryWorkspace();
  expect(await floorOf(workspace, path, "write")).toMatchObject({ decision: "ask" });
});

test.each([
  ".env",
  ".env.local",
  "deploy/.ENV.production",
  "server.pem",
  "keys/ID_rsa",
  ".npmrc",
  ".git-credentials",
  ".netrc",
  ".aws/credentials",
  ".ssh/config",
  ".\u017f\u017fh/config",
  "notes:server.pem",
  ".env.example.local",
  ".env.example~",
  ".ENV.EXAMPLE",
  ".env.example:x",
  ".env/.env.example",
  ".ssh/.env.sample",
])("judgePath asks before reading %s", async (path) => {
  const { workspace } = await temporaryWorkspace();
  expect(await floorOf(workspace, path, "read")).toMatchObject({ decision: "ask" });
});

test("an example of an environment file may be read, but not the target of a link of that name", async () => {
  const { root, workspace } = await temporaryWorkspace({ ".env": "KEY=1", "a/.env.example": "KEY=" });
  await symlink(".env", join(root, ".env.sample"));
  for (const path of [".env.example", "a/.env.example", ".env.template"])
    expect(await floorOf(workspace, path, "read")).toBeUndefined();
  expect(await floorOf(workspace, ".env.sample", "read")).toMatchObject({ decision: "ask" });
});

test("judgePath asks nothing before reading a file that git keeps", async () => {
  const { workspace } = await temporaryWorkspace({ ".git/HEAD": "ref" });
  expect(await floorOf(workspace, ".git/HEAD", "read")).toBeUndefined();
});

test("judgePath sees a sensitive name behind a harmless link, and a protected name in front of one", async () => {
  const { root, workspace } = await temporaryWorkspace({ ".env": "KEY=1", "plain/config": "x" });
  await symlink(".env", join(root, "readme"));
  await symlink("plain", join(root, ".git"));
  expect(await floorOf(workspace, "readme", "read")).toMatchObject({ decision: "ask" });
  expect(await floorOf(workspace, ".git/config", "write")).toMatchObject({ decision: "ask" });
});

test("judgePath does not mind the names above the root", async () => {
  const { root } = await temporaryWorkspace({ ".aws/project/a.txt": "a" });
  const workspace = await openWorkspace({ root: join(root, ".aws/project") });
  expect(await floorOf(workspace, "a.txt", "read")).toBeUndefined();
});

test("judgePath asks however a protected name is spelt", async () => {
  const { workspace } = await temporaryWorkspace();
  const ignorable = fc.constantFrom("", "\u200b", "\u200d", "\u2060", "\ufeff", "\u00ad");
  const letters = fc.tuple(
    fc.constantFrom(".", "\uff0e"),
    fc.constantFrom("g", "G", "\uff27"),
    fc.constantFrom("i", "I", "\u0131", "\uff49"),
    fc.constantFrom("t", "T", "\uff54"),
  );
  const tail = fc.constantFrom("", ".", " ", ". .", ":x", "::$DATA", "\u200b.");
  await fc.assert(
    fc.asyncProperty(
      letters,
      fc.array(ignorable, { minLength: 4, maxLength: 4 }),
      tail,
      async (name, gaps, end) => {
        const path = `a/${name.map((letter, index) => letter + gaps[index]).join("")}${end}/hooks`;
        expect(await floorOf(workspace, path, "write")).toMatchObject({ decision: "ask" });
      },
    ),
  );
});

async function floorOf(
  workspace: WorkspacePaths,
  path: string,
  action: PathAction,
  options?: ResolveOptions,
): Promise<Floor | undefined> {
  return workspace.floorOf(await workspace.resolve(path, options), action);
}
