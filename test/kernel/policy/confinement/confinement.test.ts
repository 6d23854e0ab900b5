import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RuntimeOptions } from "../../../../src/index.ts";
import { createRestrictedPaths } from "../../../../src/kernel/policy/confinement/restricted-paths.ts";
import { needs } from "../../../support/needs.ts";
import { openFileSession } from "../../../support/open-file-session.ts";
import { temporaryFolder } from "../../../support/open-test-session.ts";
import { parseSampleRules } from "../rules/parse-sample-rules.ts";

const contents = {
  "keys/a.key": "hush",
  "src/b.ts": "b",
  // What a script does, nobody knows beforehand.
  "show.sh": 'cat "$1"',
  "make.sh": "mkdir -p made/deep/x",
  "make-other.sh": "mkdir -p other/deep/x",
  "change.sh": "printf x > src/b.ts",
  "touch.sh": "touch made.txt",
};

async function open(permissions: RuntimeOptions["permissions"], more: RuntimeOptions = {}) {
  const opened = await openFileSession(contents, { ...more, permissions: { mode: "auto", ...permissions } });
  const run = async (command: string) => opened.session.call("shell_run", { command });
  return { ...opened, run };
}

test("a file that comes to match a rule later is hidden from the next command", async () => {
  const { run, workspace } = await open({ deny: ["Read(*.key)"] });
  expect((await run("sh show.sh src/b.ts")).text).toContain("b");
  await writeFile(join(workspace, "src/new.key"), "hush");
  expect((await run("sh show.sh src/new.key")).text).not.toContain("hush");
  await mkdir(join(workspace, "far/down"), { recursive: true });
  await rename(join(workspace, "src/new.key"), join(workspace, "far/down/moved.key"));
  expect((await run("sh show.sh far/down/moved.key")).text).not.toContain("hush");
});

const testInside = await needs("bubblewrap");

testInside("a path that a rule names is not created either, and nothing of that stays behind", async () => {
  const { run, workspace } = await open({ deny: ["Edit(/made/deep/**)"] });
  await run("sh make.sh");
  expect(existsSync(join(workspace, "made"))).toBe(false);
  await run("sh make-other.sh");
  expect(existsSync(join(workspace, "other/deep/x"))).toBe(true);
});

test("a rule that asks hides its paths from a command that was not approved", async () => {
  const unapproved = await open({ ask: ["Read(keys/**)"] });
  expect((await unapproved.run("sh show.sh keys/a.key")).text).not.toContain("hush");
  const approved = await open({ mode: "ask", ask: ["Read(keys/**)"] }, { onApproval: () => "allow" });
  expect((await approved.run("sh show.sh keys/a.key")).text).toContain("hush");
});

testInside("approval lifts no deny", async () => {
  const { run, workspace } = await open(
    { mode: "ask", deny: ["Read(keys/**)", "Edit(src/**)"] },
    { onApproval: () => "allow" },
  );
  expect((await run("sh show.sh keys/a.key")).text).not.toContain("hush");
  await run("sh change.sh");
  expect(await readFile(join(workspace, "src/b.ts"), "utf8")).toBe("b");
});

testInside.each([
  ["@write", "read-only"],
  ["@network", "workspace-write"],
  ["WebFetch(domain:example.com)", "workspace-write"],
  ["Edit(src/**)", "network"],
])("a deny on %s leaves a command of which nothing is known the profile %s", async (rule, profile) => {
  const { run } = await open({ deny: [rule] }, { onApproval: () => "allow" });
  const { receipt } = await run("sh touch.sh");
  expect(receipt.sandbox).toBe(`${profile} (bubblewrap)`);
});

testInside("git's own versions of a restricted file ask, unless the command names other files", async () => {
  const decisionsOn = async (tracked: string) => {
    const { session, workspace } = await open({ deny: ["Read(keys/**)"] });
    execFileSync("git", ["init", "--quiet"], { cwd: workspace });
    execFileSync("git", ["add", tracked], { cwd: workspace });
    const commands = ["git diff --cached", "git diff --cached -- src", "git log -p", "git log", "git status"];
    return Promise.all(
      commands.map(async (command) => (await session.explain("Bash", { command })).decision),
    );
  };
  expect(await decisionsOn("keys/a.key")).toEqual(["ask", "allow", "ask", "allow", "allow"]);
  expect(await decisionsOn("src")).toEqual(["allow", "allow", "allow", "allow", "allow"]);
});

test("a reason names the rule that a command may violate", async () => {
  const { session } = await open({ deny: ["Read(keys/**)"] }, { sandbox: "off" });
  const explain = async (command: string) => session.explain("Bash", { command });
  expect(await explain("make")).toMatchObject({
    decision: "ask",
    decidedBy: "rule deny: Read(keys/**)",
    reason: expect.stringMatching(/^the deny rule Read\(keys\/\*\*\) may apply: .*there is no sandbox/),
  });
  expect((await explain("grep -r x .")).reason).toMatch(/it is about .*keys, which is in /);
  expect((await explain("cat src/b.ts")).decision).toBe("allow");
});

test("a search for restricted paths stops where it becomes too much, and says so", async () => {
  const root = await temporaryFolder();
  for (const name of ["a", "b", "c"]) {
    await mkdir(join(root, name));
    await writeFile(join(root, name, "x.key"), "");
  }
  const rules = await parseSampleRules({ deny: ["file_read(*.key)"] });
  const find = (limits: object) => createRestrictedPaths(rules, { root, folders: [root] }, limits)();
  const { read, isComplete } = await find({});
  expect(isComplete).toBe(true);
  expect(read.deny.map(({ path }) => path).sort()).toEqual(
    ["a", "b", "c"].map((name) => join(root, name, "x.key")),
  );
  expect((await find({ maxFound: 2 })).isComplete).toBe(false);
  expect((await find({ maxFolders: 2 })).isComplete).toBe(false);
});
