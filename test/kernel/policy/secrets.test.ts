import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { modes } from "../../../src/kernel/policy/decide.ts";
import { casesOf } from "../../support/fuzz.ts";
import { openTestSession, temporaryFolder } from "../../support/open-test-session.ts";

function git(workspace: string, ...args: string[]): void {
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], { cwd: workspace });
}

/** A repository with files of sensitive names: committed, committed and changed since, only added, and not known to git. */
async function makeRepository(): Promise<string> {
  const workspace = await temporaryFolder();
  git(workspace, "init", "--quiet");
  await mkdir(join(workspace, "sub"));
  await writeFile(join(workspace, "sub/.env.test"), "word-committed\n");
  await writeFile(join(workspace, "id_map.ts"), "word-committed\n");
  await writeFile(join(workspace, ".env.changed"), "word-committed\n");
  await writeFile(join(workspace, "plain.txt"), "word-plain\n");
  git(workspace, "add", "--force", "--all");
  git(workspace, "commit", "--quiet", "-m", "first");
  await writeFile(join(workspace, ".env.changed"), "word-secret-changed\n");
  await writeFile(join(workspace, ".env"), "word-secret-untracked\n");
  await writeFile(join(workspace, "sub/.env.added"), "word-secret-added\n");
  git(workspace, "add", "--force", "sub/.env.added");
  return workspace;
}

const committed = ["sub/.env.test", "id_map.ts"];
const secret = [".env", ".env.changed", "sub/.env.added"];

const reads = (path: string) =>
  casesOf({
    sample: [
      { tool: "file_read", input: { path } },
      { tool: "shell_run", input: { command: `cat ${path}` } },
    ],
    full: [
      { tool: "file_read", input: { path } },
      { tool: "shell_run", input: { command: `cat ${path}` } },
      { tool: "shell_run", input: { command: `head -n 5 ${path} | sort` } },
      { tool: "search_grep", input: { pattern: "^", path } },
    ],
  });

/** Show whole trees, or what git keeps of them. */
const trees = [
  { tool: "search_grep", input: { pattern: "^", output_mode: "content", include_ignored: true } },
  ...casesOf({
    sample: [
      "grep -rn word .",
      "git grep --untracked --no-exclude-standard word",
      "git diff --cached",
      "git log -p",
      "find . -name '.env*' -print0 | xargs -0 cat",
      "cat .env* sub/.e*",
    ],
    full: [
      "grep -rn word .",
      "grep -rh word sub",
      "rg --hidden --no-ignore word",
      "git grep word",
      "git grep --untracked --no-exclude-standard word",
      "git diff",
      "git diff HEAD",
      "git diff --cached",
      "git log -p",
      "git show",
      "find . -type f -exec cat {} +",
      "find . -name '.env*' -print0 | xargs -0 cat",
      "diff -r . /dev/null",
      "cat .env* sub/.e*",
    ],
  }).map((command) => ({ tool: "shell_run", input: { command } })),
];

const boxes = ["auto", "off"] as const;

test.each(
  casesOf({
    sample: [["auto", "auto"] as const, ["readonly", "off"] as const],
    full: modes.flatMap((mode) => boxes.map((sandbox) => [mode, sandbox] as const)),
  }),
)(
  "in mode %s with the sandbox %s, committed files are shown and others are asked about, by every way to read",
  async (mode, sandbox) => {
    const workspace = await makeRepository();
    const asked = new Set<string>();
    const { session } = await openTestSession({
      workspace,
      sandbox,
      permissions: { mode },
      onApproval: ({ callId }) => {
        asked.add(callId);
        return { decision: "deny", by: "test" };
      },
    });
    const surprises: string[] = [];
    const expectShown = async (isShown: boolean, { tool, input }: { tool: string; input: object }) => {
      const { text, status } = await session.call(tool, input);
      const isRight = isShown ? status === "done" && text.includes("-committed") : status === "denied";
      if (!isRight || text.includes("-secret-"))
        surprises.push(`${tool} ${JSON.stringify(input)}: ${status} ${text.slice(0, 200)}`);
    };
    for (const path of committed) for (const way of reads(path)) await expectShown(true, way);
    for (const path of secret) for (const way of reads(path)) await expectShown(false, way);
    for (const { tool, input } of trees) {
      const { text } = await session.call(tool, input);
      if (text.includes("-secret-"))
        surprises.push(`${tool} ${JSON.stringify(input)}: ${text.slice(0, 200)}`);
    }
    expect(surprises).toEqual([]);
    expect(asked.size).toBeGreaterThan(0);
  },
);

test("a file that git has is shown unasked by every command, and names are listed without asking", async () => {
  const workspace = await makeRepository();
  git(workspace, "commit", "--quiet", "-m", "second");
  git(workspace, "checkout", "--quiet", "--", ".env.changed");
  for (const sandbox of ["auto", "off"] as const) {
    const { session } = await openTestSession({ workspace, sandbox, permissions: { mode: "readonly" } });
    for (const command of ["git diff && git log -p && git grep word", "git status && ls -A && find ."])
      expect(await session.call("shell_run", { command }), command).toMatchObject({ status: "done" });
  }
});

test("a command that commits a secret does not make it one that may be read", async () => {
  const workspace = await makeRepository();
  const { session } = await openTestSession({ workspace, permissions: { mode: "auto" } });
  const identity = "-c user.name=a -c user.email=a@b";
  const command = `git add -f .env && git ${identity} commit -qm x && rm .env.changed sub/.env.added`;
  expect(await session.call("shell_run", { command })).toMatchObject({ status: "done" });
  for (const way of [...reads(".env"), ...trees]) {
    const { text } = await session.call(way.tool, way.input);
    expect(text, JSON.stringify(way)).not.toContain("-secret-untracked");
  }
});
