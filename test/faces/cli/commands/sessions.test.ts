import { expect, test } from "vitest";
import { createCli, parseLines } from "../run-cli.ts";
import { createScripted, scriptFlags } from "../scripted-run.ts";

test("every session is listed with when it was used, how often, and where", async () => {
  const cli = await createCli();
  await cli(["call", "file_list"]);
  await cli(["call", "file_list", "--session", "other"]);
  await cli(["call", "file_list", "--session", "other"]);
  const { exitCode, stdout } = await cli(["sessions"]);
  expect(exitCode).toBe(0);
  const rows = stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split(/ {2,}/));
  expect(rows[0]).toEqual(["id", "opened", "state", "calls", "workspace"]);
  expect(rows.slice(1).map(([id, , , calls, workspace]) => [id, calls, workspace])).toEqual([
    ["other", "2", cli.workspace],
    ["cli", "1", cli.workspace],
  ]);
  const one = parseLines((await cli(["sessions", "--json", "--session", "cli"])).stdout);
  expect(one).toMatchObject([{ id: "cli", calls: 1, closedAt: expect.any(String), state: "closed" }]);
});

test("sessions says on stderr that there are none yet", async () => {
  const cli = await createCli();
  expect(await cli(["sessions"])).toEqual({ exitCode: 0, stdout: "", stderr: "no sessions yet\n" });
});

test("the sessions of agents stand below the one they were spawned from, with what they were spawned for", async () => {
  const spawnAgent = (kind: string, description: string) => ({
    name: "Agent",
    input: { prompt: "go", description, agent_type: kind },
  });
  const cli = await createScripted([{ calls: [spawnAgent("lead", "see to it")] }, { text: "over" }], {
    lead: [
      { calls: [spawnAgent("one", "look\u001b[2J")] },
      { calls: [spawnAgent("one", "look again")] },
      { text: "so" },
    ],
    one: [{ text: "looked" }],
  });
  await cli(["run", "go", "--session", "top", ...scriptFlags]);
  await cli(["call", "file_list", "--session", "later"]);
  const { stdout } = await cli(["sessions"]);
  const shown = stdout.replace(/session_\w+/g, "SESSION").replace(/agent_\w+/g, "AGENT");
  const rows = shown
    .trimEnd()
    .split("\n")
    .map((line) => line.split(/ {2,}(?! *└)/));
  expect(rows.map((row) => [row[0], row[3], row[4]])).toEqual([
    ["id", "calls", "workspace or agent"],
    ["later", "1", cli.workspace],
    ["top", "1", cli.workspace],
    ["└ SESSION", "2", "AGENT see to it (lead)"],
    ["  └ SESSION", "0", "AGENT look\\u{1b}[2J (one)"],
    ["  └ SESSION", "0", "AGENT look again (one)"],
  ]);

  const sessions = parseLines((await cli(["sessions", "--json"])).stdout);
  const lead = sessions.find(({ parent }) => (parent as { kind?: string })?.kind === "lead");
  expect(lead!.parent).toEqual({
    sessionId: "top",
    agentId: expect.any(String),
    title: "see to it",
    kind: "lead",
  });
  expect(
    sessions.filter(({ parent }) => (parent as { sessionId?: string })?.sessionId === lead!.id),
  ).toHaveLength(2);

  const below = parseLines((await cli(["sessions", "--session", String(lead!.id), "--json"])).stdout);
  expect(below).toHaveLength(3);
  const branch = (await cli(["sessions", "--session", String(lead!.id)])).stdout;
  expect(branch).toMatch(/^session_\w+ .*see to it \(lead\)\n└ session_\w+ .*\n└ session_\w+ .*\n$/m);
});
