import { execFile } from "node:child_process";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { openWorkspace } from "../../../../src/runtime/services/files/workspace.ts";
import { fc } from "../../../support/fuzz.ts";
import { temporaryWorkspace } from "../../services/files/temporary-workspace.ts";

test("has nothing to say about ordinary files", async () => {
  const { workspace } = await temporaryWorkspace({ "a.txt": "a", ".gitx/f": "x", ".gitignore": "x" });
  for (const path of ["a.txt", "new/b.txt", ".gitx/f", ".gitignore", "environment", "grid_1", "pem"]) {
    expect((await workspace.judge(path, "read")).floor).toBeUndefined();
    expect((await workspace.judge(path, "write")).floor).toBeUndefined();
  }
});

test("denies what leads outside, in both directions", async () => {
  const { root, outside, workspace } = await temporaryWorkspace();
  await symlink(join(outside, "created.txt"), join(root, "dangling"));
  for (const path of ["..", join(outside, "x"), "dangling", "../work-evil/s.txt"]) {
    for (const action of ["read", "write"] as const) {
      expect((await workspace.judge(path, action)).floor).toMatchObject({ decision: "deny" });
    }
  }
});

test("allows deleting a link that leads outside, because the link is inside", async () => {
  const { root, outside, workspace } = await temporaryWorkspace();
  await symlink(outside, join(root, "link"));
  expect((await workspace.judge("link", "write", { followLast: false })).floor).toBeUndefined();
});

test("denies writing to a root that may only be read", async () => {
  const { root, outside } = await temporaryWorkspace();
  const workspace = await openWorkspace({ root, readableRoots: [outside] });
  expect((await workspace.judge(join(outside, "x"), "read")).floor).toBeUndefined();
  expect((await workspace.judge(join(outside, "x"), "write")).floor).toMatchObject({ decision: "deny" });
});

test("denies pipes in both directions", async () => {
  const { root, workspace } = await temporaryWorkspace();
  await promisify(execFile)("mkfifo", [join(root, "pipe")]);
  expect((await workspace.judge("pipe", "read")).floor).toMatchObject({ decision: "deny" });
  expect((await workspace.judge("pipe", "write")).floor).toMatchObject({ decision: "deny" });
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
])("asks before writing %s", async (path) => {
  const { workspace } = await temporaryWorkspace();
  expect((await workspace.judge(path, "write")).floor).toMatchObject({ decision: "ask" });
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
])("asks before reading %s", async (path) => {
  const { workspace } = await temporaryWorkspace();
  expect((await workspace.judge(path, "read")).floor).toMatchObject({ decision: "ask" });
});

test("reading what git keeps needs no question", async () => {
  const { workspace } = await temporaryWorkspace({ ".git/HEAD": "ref" });
  expect((await workspace.judge(".git/HEAD", "read")).floor).toBeUndefined();
});

test("sees a sensitive name behind a harmless link, and a protected name in front of one", async () => {
  const { root, workspace } = await temporaryWorkspace({ ".env": "KEY=1", "plain/config": "x" });
  await symlink(".env", join(root, "readme"));
  await symlink("plain", join(root, ".git"));
  expect((await workspace.judge("readme", "read")).floor).toMatchObject({ decision: "ask" });
  expect((await workspace.judge(".git/config", "write")).floor).toMatchObject({ decision: "ask" });
});

test("does not mind the names above the root", async () => {
  const { root } = await temporaryWorkspace({ ".aws/project/a.txt": "a" });
  const workspace = await openWorkspace({ root: join(root, ".aws/project") });
  expect((await workspace.judge("a.txt", "read")).floor).toBeUndefined();
});

test("asks however a protected name is spelt", async () => {
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
        expect((await workspace.judge(path, "write")).floor).toMatchObject({ decision: "ask" });
      },
    ),
  );
});
