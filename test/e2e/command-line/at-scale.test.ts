import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { createCli, mainFile, parseLines, startNode } from "../../faces/cli/run-cli.ts";
import { fuzzRuns } from "../../support/fuzz.ts";

test("ten processes at once on one store leave ten receipts, in chains that hold", async () => {
  const cli = await createCli({ "a.txt": "hello\n" });
  const calls = Array.from({ length: 10 }, () => cli(["call", "file_read", '{"path":"a.txt"}', "--json"]));
  const results = await Promise.all(calls);
  expect(results.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual(Array(10).fill([0, ""]));
  const callIds = results.map(({ stdout }) => JSON.parse(stdout).callId);
  const receipts = parseLines((await cli(["log", "--json"])).stdout);
  expect(receipts.map(({ callId }) => callId).sort()).toEqual(callIds.sort());
  const { exitCode, stdout } = await cli(["log", "--verify"]);
  const verified = [...stdout.matchAll(/^cli(?:-\d+)?: ok, (\d+) receipts?$/gm)].map(([, count]) =>
    Number(count),
  );
  expect([exitCode, verified.reduce((sum, count) => sum + count, 0)]).toEqual([0, 10]);
});

const lines = fuzzRuns({ sample: 2000, full: 50_000 });

test(`a batch of ${lines} lines streams through without piling up`, { timeout: 180_000 }, async () => {
  const cli = await createCli({ "a.txt": "" });
  // A small heap makes holding on to the lines fatal: all of them take more than there is.
  const padding = "-".repeat(10_000);
  const child = startNode(["--max-old-space-size=40", mainFile, "explain", "--batch", "-"], {
    cwd: cli.workspace,
    env: cli.environment,
  });
  const feed = async () => {
    for (let id = 0; id < lines; id++) {
      const line = `${JSON.stringify({ id: `${id}${padding}`, tool: "file_read", input: { path: "a.txt" } })}\n`;
      if (!child.stdin.write(line)) await once(child.stdin, "drain");
    }
    child.stdin.end();
  };
  const exited = new Promise((resolve) => child.on("close", resolve));
  const feeding = feed();
  let next = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const { id, decision } = JSON.parse(line);
    if (id !== `${next}${padding}`)
      throw new Error(`expected the verdict on ${next}, received that on ${id}`);
    if (decision !== "allow") throw new Error(`line ${id}: ${decision}`);
    next++;
  }
  await feeding;
  expect(await exited).toBe(0);
  expect(next).toBe(lines);
});
