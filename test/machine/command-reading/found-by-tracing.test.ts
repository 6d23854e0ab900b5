import { execFileSync } from "node:child_process";
import { mkdir, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { Mode } from "../../../src/kernel/policy/decide.ts";
import { gitEnvironment } from "../../support/git-environment.ts";
import { openTestSession, temporaryFolder } from "../../support/open-test-session.ts";

/** Commands, whether they may run unasked, and what their verdict then says that they write or read. */
const rows: Readonly<Record<"readonly" | "edit", readonly (readonly [string, boolean, string[]?])[]>> = {
  readonly: [
    // After the first word that is no option, git config takes everything for a value.
    ["git config user.name --", false],
    ["git config user.name", true],
    ["locale --charmaps", false],
    // In quotes, a pattern is a name.
    ["cat 'a*'", true, ["a*"]],
    ["cat a*", true, ["a.txt"]],
    ["cat '[x]'", false],
    ["cat [x]", true, ["x"]],
    ["cat < '[x]'", false],
    ["cd '[d]' && cat *.txt", false],
    ["cd '[d]' && cat in*", true, ["[d]", "[d]/inner"]],
    // Names that the program completes.
    ["zcat b", false],
    ["gzip -l b", false],
    ["unzip -l c", false],
    ["unzip -l 'c*'", false],
    ["zcat a.txt", true],
    // A program goes where a link leads that it is given by another.
    ["find . -print0 | xargs -0 cat", false],
    ["find . -type f -print0 | xargs -0 cat", true],
    ["find . -type f -o -print0 | xargs -0 cat", false],
    ["find . -print0 -type f | xargs -0 cat", false],
    ["find n -print0 | xargs -0 cat", true],
    ["find . -exec cat {} +", false],
    ["find . -type f -exec cat {} +", true],
    ["find . -name '*.md' -exec cat {} +", true],
    ["find . -exec echo {} +", true],
    ["git ls-files -z | xargs -0 cat", true],
    // To compare folders is to read what has the same name in both.
    ["diff . n", false],
    ["sdiff . n", false],
    ["diff w n", true],
    ["diff a.txt x", true],
    ["grep -d recurse a", false],
    ["grep --directories=rec a", false],
    ["grep -d skip a a.txt", true],
    // Several names, of which the second would be run.
    ["timeout n/*", false],
    ["timeout 5 cat a.txt", true],
  ],
  edit: [
    ["touch 'a*'", true, ["a*"]],
    ["echo > '[y]'", true, ["[y]"]],
    ["echo 1 > .jq", false],
    // Files that are found and then written.
    ["find w -print0 | xargs -0 touch", false],
    ["find w -exec sed -i s/a/b/ {} +", false],
    ["find w -name '*.txt' -exec sed -i s/a/b/ {} +", true],
    ["find w -exec sed -i s/a/b/ {} + -name '*.txt'", false],
    ["find w -name '*.txt' -o -exec sed -i s/a/b/ {} +", false],
    ["find w -name 't*.json' -exec sed -i s/a/b/ {} +", false],
    ["find w -name '*.txt' -print0 | xargs -0 tee", true],
    ["find w -print0 -name '*.txt' -print0 | xargs -0 tee", false],
    ["find w -name '*.txt' -print0 | xargs -0 cp -t n", false],
    ["find w -name '*.txt' -exec cp {} n \\;", false],
    ["find . -type f -exec sed -i s/a/b/ {} +", false],
    ["find l -exec touch {} +", false],
    ["find n -type f -exec touch {} +", true],
  ],
};

for (const [mode, commands] of Object.entries(rows))
  test(`in mode ${mode} a verdict names what a program makes of its words`, async () => {
    const folder = await temporaryFolder();
    const workspace = join(folder, "work");
    await plant(workspace, folder);
    const { session } = await openTestSession({
      workspace,
      sandbox: "off",
      permissions: { mode: mode as Mode },
    });
    const told = await Promise.all(
      commands.map(async ([command, , named]) => {
        const { decision, effects } = await session.explain("Bash", { command });
        const paths = mode === "edit" ? effects.writes : effects.reads.filter((path) => path !== ".");
        return [command, decision === "allow", ...(named === undefined ? [] : [paths])];
      }),
    );
    expect(told).toEqual(commands);
  });

test("a file that git lists may be a link by now", async () => {
  const folder = await temporaryFolder();
  const workspace = join(folder, "work");
  await plant(workspace, folder);
  execFileSync("git", ["add", "a.txt", "n"], { cwd: workspace, env: gitEnvironment });
  const { session } = await openTestSession({
    workspace,
    sandbox: "off",
    permissions: { mode: "readonly" },
  });
  const decide = async () =>
    (await session.explain("Bash", { command: "git ls-files -z | xargs -0 cat" })).decision;
  expect(await decide()).toBe("allow");
  await rm(join(workspace, "n/e.txt"));
  await symlink(join(folder, "secret"), join(workspace, "n/e.txt"));
  expect(await decide()).not.toBe("allow");
});

test("git writes nothing in a script that writes a file unasked", async () => {
  const workspace = await temporaryFolder();
  await writeFile(join(workspace, "a.txt"), "a\n");
  const identity = ["-c", "user.name=Nobody", "-c", "user.email=nobody@example.org"];
  for (const words of [
    ["init", "--quiet"],
    ["add", "."],
    ["commit", "--quiet", "--message=first"],
  ])
    execFileSync("git", [...identity, ...words], { cwd: workspace, env: gitEnvironment });
  // As if it had been written again: git then looks at the text, and would write down that it is the same.
  await utimes(join(workspace, "a.txt"), 1_000_000_000, 1_000_000_000);
  const { session } = await openTestSession({ workspace, sandbox: "off", permissions: { mode: "edit" } });
  const index = () => readFile(join(workspace, ".git/index"), "hex");
  const before = await index();
  const { status } = await session.call("Bash", { command: "touch b.txt; git status; git diff" });
  expect(status).toBe("done");
  expect(await index()).toBe(before);
});

async function plant(workspace: string, folder: string): Promise<void> {
  const files = ["a.txt", "x", "[d]/inner", "w/d.txt", "w/.vscode/tasks.json", "n/e.txt", "l/f.txt"];
  for (const path of [...files.map((file) => join(workspace, file)), join(folder, "secret")]) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, "a\n");
  }
  execFileSync("git", ["init", "--quiet"], { cwd: workspace, env: gitEnvironment });
  for (const link of ["[x]", "[d]/a.txt", "b.gz", "c.zip", "l/link"])
    await symlink(join(folder, "secret"), join(workspace, link));
}
