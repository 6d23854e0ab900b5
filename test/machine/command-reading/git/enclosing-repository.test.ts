import { execFileSync } from "node:child_process";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RuntimeOptions } from "../../../../src/index.ts";
import { putFiles } from "../../../support/open-file-session.ts";
import { openTestSession, temporaryFolder } from "../../../support/open-test-session.ts";
import { testInside } from "../../sandbox/inside.ts";

/** A session whose workspace is one package of a repository. */
async function openPackage(options: RuntimeOptions = {}) {
  const repository = await temporaryFolder();
  await putFiles(repository, {
    "packages/a/x.ts": "x\n",
    "packages/a/private/k.txt": "hush-hush\n",
    "packages/b/y.ts": "y\n",
  });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], {
      cwd: repository,
    });
  git("init", "--quiet");
  git("add", "-A");
  git("commit", "--quiet", "-m", "all");
  await appendFile(join(repository, "packages/a/x.ts"), "more\n");
  await appendFile(join(repository, "packages/b/y.ts"), "more\n");
  await putFiles(repository, { "packages/b/.env": "KEY=hush-hush\n" });
  const workspace = join(repository, "packages/a");
  const { session } = await openTestSession({ ...options, workspace });
  const run = async (command: string) => (await session.call("Bash", { command })).text;
  return { session, run };
}

testInside("in its sandbox, git sees the whole repository as it is", async () => {
  const { run } = await openPackage({ sandbox: "required" });
  expect(await run("git status --short")).toBe(" M x.ts\n M ../b/y.ts\n?? ../b/.env");
  expect(await run("git diff --stat | tail -1")).toContain("2 files changed");
  expect(await run("git log --oneline")).toContain("all");
});

testInside.each([
  "git status --short; python3 -c 'print(open(\"../b/y.ts\").read())'",
  "git status --short; f=$(printf ../b/y.ts); cat $f",
  "git status --short; bash -c \"$(printf 'cat ../b/y.ts')\"",
])(
  "a command that could do anything does not see the repository, although git is beside it: %s",
  async (command) => {
    const { run } = await openPackage({ sandbox: "required", permissions: { mode: "auto" } });
    expect(await run(command)).not.toContain("more");
  },
);

test.each([
  "git show HEAD:packages/a/private/k.txt",
  "git show HEAD:./private/k.txt",
  "git show",
  "git log -p",
  "git grep hush",
  "git cat-file -p :packages/a/private/k.txt",
  "cd private && git diff 4b825dc642cb6eb9a060e54bf8d69288fbee4904 HEAD",
])(
  "a file that a rule denies in the workspace is not shown by %s from the repository around it",
  async (command) => {
    const { run } = await openPackage({ permissions: { deny: ["Read(private/**)"] } });
    expect(await run(command)).not.toContain("hush");
  },
);

test("a rule on places outside of the workspace makes git ask about the repository's content", async () => {
  const { session } = await openPackage({ permissions: { deny: ["Read(//elsewhere/**)"] } });
  const decisionOn = async (command: string) => (await session.explain("Bash", { command })).decision;
  expect(await decisionOn("git diff")).toBe("ask");
  expect(await decisionOn("git status")).toBe("allow");
});
