import { expect, test } from "vitest";
import { createCli, parseLines } from "../run-cli.ts";

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
  expect(rows[0]).toEqual(["id", "opened", "closed", "calls", "workspace"]);
  expect(rows.slice(1).map(([id, , , calls, workspace]) => [id, calls, workspace])).toEqual([
    ["other", "2", cli.workspace],
    ["cli", "1", cli.workspace],
  ]);
  const one = parseLines((await cli(["sessions", "--json", "--session", "cli"])).stdout);
  expect(one).toMatchObject([{ id: "cli", calls: 1, closedAt: expect.any(String) }]);
});

test("where nothing has happened yet, that is said on stderr", async () => {
  const cli = await createCli();
  expect(await cli(["sessions"])).toEqual({ exitCode: 0, stdout: "", stderr: "there are no sessions yet\n" });
});
