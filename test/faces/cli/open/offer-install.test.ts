import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ModelError } from "../../../../src/capabilities/agents/models/model-error.ts";
import { offerInstall } from "../../../../src/faces/cli/open/offer-install.ts";
import { temporaryFolder } from "../../../support/open-test-session.ts";
import { createCli, mainFile } from "../run-cli.ts";
import { openTerminal } from "../talk/open-terminal.ts";

const install = { command: ["npm", "install", "--global", "@ai-sdk/x"] };

/** An npm that writes down where and how it was started, found before any other. */
async function putNpmIn(folder: string, exitCode = 0): Promise<void> {
  await mkdir(folder, { recursive: true });
  const script = `#!/bin/bash\necho "$PWD|$*|$npm_config_registry|$SECRET" >> ${folder}/log\necho "no such package" >&2\nexit ${exitCode}\n`;
  await writeFile(join(folder, "npm"), script);
  await chmod(join(folder, "npm"), 0o755);
}

test("a missing package is installed by the command that the person has seen, and only then", async () => {
  const [workspace, own] = [await temporaryFolder(), await temporaryFolder()];
  // The project brings an npm of its own, which is not run.
  await putNpmIn(join(workspace, "bin"));
  await putNpmIn(own);
  const path = process.env.PATH;
  process.env.PATH = `${workspace}/bin:${own}:${path}`;
  onTestFinished(() => {
    process.env.PATH = path;
  });
  const asked: string[] = [];
  const told: string[] = [];
  const offer = (error: unknown, answer: boolean) =>
    offerInstall(
      error,
      {
        confirm: async (command) => {
          asked.push(command);
          return answer;
        },
        tell: (text) => told.push(text),
      },
      { workspace, environment: { npm_config_registry: "https://npm.example", SECRET: "x" } },
    );
  expect(await offer(new ModelError("no key"), true)).toBe(false);
  expect(await offer(new Error("other"), true)).toBe(false);
  expect(asked).toEqual([]);
  const missing = new ModelError("not installed", { install });
  expect(await offer(missing, false)).toBe(false);
  await expect(readFile(join(own, "log"))).rejects.toThrow();
  expect(await offer(missing, true)).toBe(true);
  expect(asked.at(-1)).toBe("npm install --global @ai-sdk/x");
  // Not in the workspace, whose .npmrc could name another registry.
  expect(await readFile(join(own, "log"), "utf8")).toBe(
    `${homedir()}|install --global @ai-sdk/x|https://npm.example|\n`,
  );
  await expect(readFile(join(workspace, "bin/log"))).rejects.toThrow();
  expect(told.at(-1)).toBe("Installed.");
  await putNpmIn(own, 1);
  await expect(offer(missing, true)).rejects.toThrow("failed: no such package");
});

test("in a session, one key installs what the chosen model lacks", { timeout: 60_000 }, async () => {
  const cli = await createCli({});
  const own = await temporaryFolder();
  await putNpmIn(own);
  const hide = new URL("../../../capabilities/agents/models/hide-providers.ts", import.meta.url).href;
  const talk = openTerminal([process.execPath, "--import", hide, mainFile, "--model", "anthropic/x"], {
    cwd: cli.workspace,
    env: { ...cli.environment, ANTHROPIC_API_KEY: "key", PATH: `${own}:${process.env.PATH}` },
    columns: 80,
  });
  await talk.waitFor("context left");
  talk.type("hi\r");
  await talk.waitFor("Install it");
  expect(talk.all()).toMatch(/npm install .*@ai-sdk\/anthropic/);
  talk.type("\r");
  await talk.waitFor("Installed.");
  expect(await readFile(join(own, "log"), "utf8")).toContain("@ai-sdk/anthropic");
  talk.type("/quit\r");
  await talk.exited;
});
