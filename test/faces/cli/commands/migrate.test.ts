import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createCli } from "../run-cli.ts";

const kode = "@shareai-lab/kode-sdk";

test("migrate tells what to change, changes the import lines on request, and that can be undone", async () => {
  const cli = await createCli({
    "project/src/agent.ts": `import { Agent, JSONStore } from "${kode}";\nconst hooks = { preToolUse() {} };\n`,
  });
  const dry = await cli(["migrate", "--from", "kode", "project"]);
  expect(dry).toMatchObject({ exitCode: 1, stderr: "" });
  expect(dry.stdout.split("\n")).toEqual([
    `src/agent.ts:1: import "${kode}": change to "toolwright/kode"`,
    expect.stringMatching(/^src\/agent\.ts:1: name JSONStore: change this: leave it out, or say where/),
    expect.stringMatching(/^src\/agent\.ts:2: hook preToolUse: behaves better: it sees every call/),
    "",
    "Found 1 import line, 1 hook in 1 file.",
    "--write changes the import lines.",
    "1 thing to change by hand.",
    "",
  ]);
  const file = join(cli.workspace, "project/src/agent.ts");
  const written = await cli(["migrate", "--from", "kode", "project", "--write"]);
  expect(written.exitCode).toBe(1);
  const [, undo = ""] = /To undo: toolwright (.*)/.exec(written.stdout) ?? [];
  expect(await readFile(file, "utf8")).toContain('from "toolwright/kode"');
  expect(await cli(undo.split(" "))).toMatchObject({ exitCode: 0 });
  expect(await readFile(file, "utf8")).toContain(`from "${kode}"`);
});

test("migrate as JSON ends with 0 where only import lines were to change, and with 3 where they may not be", async () => {
  const cli = await createCli({
    "a.ts": `export { Agent } from "${kode}";\n`,
    ".toolwright/policy.json": JSON.stringify({ deny: ["Edit(a.ts)"] }),
  });
  const words = ["migrate", "--from", "kode", "--json"];
  const { stdout, exitCode } = await cli(words);
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    from: "kode",
    to: "toolwright/kode",
    imports: [{ file: "a.ts", line: 1, kind: "reexport", names: ["Agent"] }],
    findings: [],
    leftOut: [],
  });
  expect(await cli([...words, "--write"])).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining("No import line was changed"),
  });
  const free = await createCli({ "a.ts": `export { Agent } from "${kode}";\n` });
  expect(await free([...words, "--write"])).toMatchObject({ exitCode: 0 });
  expect(await free(["migrate", "--from", "kode"])).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("Nothing of kode was found in"),
  });
});

test.each([
  [["migrate"], "say where the project comes from: --from kode, eko, pulse, internal or flyto"],
  [["migrate", "--from", "koda"], '--from must be one of kode, eko, pulse, internal, flyto; received "koda"'],
  [["migrate", "--from", "kode", "nowhere"], "there is no folder nowhere"],
  [["migrate", "--from", "kode", "a.txt"], "a.txt is not a folder; name the folder of the project"],
  [["migrate", "--from", "kode", ".", "--timeout", "0"], "--timeout must be a whole number"],
])("%j is wrong usage", async (words, message) => {
  const cli = await createCli({ "a.txt": "" });
  expect(await cli(words)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(`toolwright: ${message}`),
  });
});
