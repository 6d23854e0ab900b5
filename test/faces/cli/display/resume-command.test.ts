import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { withoutSandboxNotes } from "../../../support/no-sandbox.ts";
import { createCli, mainFile } from "../run-cli.ts";

test("the printed resume command repeats the flags, wherever the conversation is stored", async () => {
  const cli = await createCli({ "my script.json": JSON.stringify([{ text: "Hello." }]) });
  const flags = [
    "--store",
    "sqlite:kept here.sqlite",
    "--model",
    "scripted/my script.json",
    "--tools",
    "Read, Grep",
  ];
  const { stderr } = await cli(["run", "it's me", ...flags]);
  const [, command = ""] = /continue with: toolwright (.*)$/m.exec(stderr) ?? [];
  expect(command).toMatch(/^run --resume session_\w+ .*--tools 'Read, Grep' "…"$/);
  const line = `"${process.execPath}" "${mainFile}" ${command.replace("…", "and you?")}`;
  const again = await promisify(execFile)("/bin/sh", ["-c", line], {
    cwd: cli.workspace,
    env: cli.environment,
  });
  expect(again.stdout).toBe("Hello.\n");
  expect(again.stderr).toContain(`continue with: toolwright ${command}\n`);
});

test("a conversation that is kept only in memory has no resume command", async () => {
  const cli = await createCli({ "script.json": JSON.stringify([{ text: "Hello." }]) });
  await writeFile(join(cli.workspace, "config.json"), JSON.stringify({ store: "memory:" }));
  for (const place of [
    ["--store", "memory:"],
    ["--config", "config.json"],
  ]) {
    const { stderr } = await cli(["run", "hi", "--model", "scripted/script.json", ...place]);
    expect(withoutSandboxNotes(stderr)).toBe("1 step, 0 tokens in, 0 out\n");
  }
});
