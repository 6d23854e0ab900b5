import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { casesOf } from "../../support/fuzz.ts";
import { openTestSession, temporaryFolder } from "../../support/open-test-session.ts";
import { type Effect, makeSecrets, secret, waysTo } from "./effect-ways.ts";

const ruleOn: Record<Effect, string> = {
  read: "Read(secrets/**)",
  write: "Edit(secrets/**)",
  delete: "Write(secrets/**)",
  move: "@write(secrets/**)",
};

const effects = ["read", "write", "delete", "move"] as const;

test.each(
  effects.flatMap((effect) => (["auto", "off"] as const).map((sandbox) => [effect, sandbox] as const)),
)("no way to %s a denied path has its effect, with the sandbox %s", async (effect, sandbox) => {
  const workspace = await temporaryFolder();
  await makeSecrets(workspace);
  const permissions = { mode: "auto", deny: [ruleOn[effect]] } as const;
  const { session } = await openTestSession({ workspace, sandbox, permissions });
  const leaks: string[] = [];
  const ways = waysTo(effect, workspace);
  // Without the sandbox a person would be asked, and hardly anything runs.
  const half = ways.filter((_, index) => sandbox === "off" || index % 2 === 0);
  for (const { tool, input } of casesOf({ sample: half, full: ways })) {
    const { text, status } = await session.call(tool, input);
    const isShown =
      effect === "read" && (text.includes(secret) || (status === "done" && isCopied(workspace)));
    if (isShown || !isKept(workspace)) leaks.push(`${tool} ${JSON.stringify(input)}: ${status}`);
    if (status === "done") restore(workspace);
  }
  expect(leaks).toEqual([]);
});

function isKept(workspace: string): boolean {
  const file = join(workspace, "secrets/k.txt");
  const isThere = existsSync(file) && readFileSync(file, "utf8") === `${secret}\n`;
  return isThere && readdirSync(join(workspace, "secrets")).length === 1;
}

function isCopied(workspace: string): boolean {
  const found = execFileSync("grep", ["-rl", "--exclude-dir=.git", secret, "."], { cwd: workspace });
  return found.toString() !== "./secrets/k.txt\n";
}

function restore(workspace: string): void {
  const changes = execFileSync("git", ["status", "--porcelain", "--ignored"], { cwd: workspace });
  if (changes.length === 0) return;
  execFileSync("git", ["reset", "--hard", "--quiet"], { cwd: workspace });
  execFileSync("git", ["clean", "-fdxq"], { cwd: workspace });
}
