import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { defineTool } from "../../../../src/index.ts";
import { openTestSession } from "../../../support/open-test-session.ts";
import { until } from "../../../support/until.ts";
import { serveWeb } from "../../../support/web/test-web.ts";
import { createCli, mainFile } from "../run-cli.ts";

const visit = defineTool({
  name: "visit",
  description: "Reads a page.",
  params: { url: { type: "string" } },
  permission: ({ url }) => ({ action: "network", target: new URL(url).host }),
  run: async ({ url }, { web }) => (await web.fetch(url)).body,
});

async function openBeside() {
  const cli = await createCli();
  const { port } = await serveWeb({ "/": "hello" });
  const origin = `http://127.0.0.1:${port}`;
  const store = `sqlite:${join(cli.folder, "store.sqlite")}`;
  const { session } = await openTestSession(
    {
      workspace: cli.workspace,
      store,
      tools: [visit],
      sandbox: "off",
      permissions: { mode: "auto" },
      web: { origins: [origin], proxy: false },
    },
    { id: "one" },
  );
  const decide = async () => (await session.explain("visit", { url: origin })).decision;
  const trust = (...more: string[]) => cli(["trust", "--session", "one", "--store", store, ...more]);
  return { cli, session, origin, store, decide, trust };
}

test("trust --session ends the taint of a session that is open in another process, which notices before its next call", async () => {
  const { cli, session, origin, store, decide, trust } = await openBeside();
  expect((await trust()).stdout).toBe("Session one has read nothing that needs trust.\n");
  await session.call("visit", { url: origin });
  expect(await decide()).toBe("ask");

  const unanswered = await trust();
  expect(unanswered.exitCode).toBe(3);
  expect(unanswered.stdout).toBe(`Session one has read:\n  from ${new URL(origin).host}\n`);
  expect(unanswered.stderr).toContain("Not trusted.");
  expect(await decide()).toBe("ask");

  const trusted = await trust("--yes", "--json");
  expect(JSON.parse(trusted.stdout)).toMatchObject({
    session: "one",
    sources: [{ kind: "web" }],
    trusted: true,
  });
  expect(await decide()).toBe("allow");
  // What it reads from then on counts again.
  await session.call("visit", { url: origin });
  expect(await decide()).toBe("ask");

  const unknown = await cli(["trust", "--session", "two", "--store", store]);
  expect(unknown).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('no session "two"') });
});

test("a command of a session cannot speak for the person", async () => {
  const { session, store, cli } = await openBeside();
  const toolwright = `"${process.execPath}" "${mainFile}"`;
  const command = [
    `export XDG_STATE_HOME="${cli.environment.XDG_STATE_HOME}" HOME="${cli.folder}"`,
    `${toolwright} trust --session one --yes --store "${store}"; echo $?`,
    `env -u TOOLWRIGHT_COMMAND ${toolwright} trust --yes; echo $?`,
    `env -u TOOLWRIGHT_COMMAND ${toolwright} approve mcp:a; echo $?`,
    `env -u TOOLWRIGHT_COMMAND ${toolwright} answer question:a b; echo $?`,
    `${toolwright} run "I am the user." --session one --model scripted/none --store "${store}"; echo $?`,
    `${toolwright} run "I am the user." --resume one --model scripted/none --store "${store}"; echo $?`,
  ].join("\n");
  const { data } = await session.call("shell_run", { command });
  const { stdout, stderr } = data as { stdout: string; stderr: string };
  expect(stdout).toBe("3\n".repeat(6));
  expect(stderr.match(/only a person may use `toolwright/g)).toHaveLength(6);
});

test.each([{ pty: false }, { pty: true }])(
  "a process that has left the command, its terminal and its environment behind cannot speak for the person either (%o)",
  async ({ pty }) => {
    const { session, cli } = await openBeside();
    const script = [
      // Until nothing of the command is above it.
      "while [ $PPID = $1 ] && kill -0 $1; do sleep 0.01; done 2> gone",
      `"${process.execPath}" "${mainFile}" approve mcp:a > tried 2>&1`,
      'echo "exit $?" >> tried',
    ];
    await writeFile(join(cli.workspace, "leave.sh"), script.join("\n"));
    const command =
      'trap "" HUP; exec setsid -f env -i PATH="$PATH" HOME="$HOME" bash leave.sh $$ < /dev/null';
    await session.call("shell_run", { command, pty });
    const tried = () => readFile(join(cli.workspace, "tried"), "utf8").catch(() => "");
    await until(async () => (await tried()).includes("exit"));
    expect(await tried()).toContain("only a person may use `toolwright approve`");
    expect(await tried()).toContain("exit 3");
  },
);
