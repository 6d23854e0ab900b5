import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { markerVariable } from "../../../../src/shared/process-environment.ts";
import { needs } from "../../../support/needs.ts";
import { type Cli, createCli, parseLines } from "../run-cli.ts";

/** A tool as a project keeps it: until somebody decides, it is a proposal. */
const toolText = (name: string, words: string) =>
  JSON.stringify({
    version: 1,
    madeBy: "agent ada",
    madeAt: "2026-01-01T00:00:00.000Z",
    name,
    description: "Says something.\nTwice.",
    input: { type: "object", properties: {} },
    language: "shell",
    permissions: [],
    examples: [{ input: {}, output: words }],
    code: [`printf %s "${words}"`],
  });

const fileOf = (name: string) => `.toolwright/tools/${name}.json`;

async function statesOf(cli: Cli): Promise<string[]> {
  const { stdout } = await cli(["tools", "--made", "--json"]);
  return parseLines(stdout).map(({ name, status, version, why }) =>
    [name, status, version, ...(why === undefined ? [] : [why])].join(" "),
  );
}

const testInside = await needs("bubblewrap");

testInside(
  "tools --made tells what became of each version, who made it and who decided, and shows one in full",
  async () => {
    const cli = await createCli({
      [fileOf("say_hello")]: toolText("say_hello", "hello"),
      [fileOf("say_no")]: toolText("say_no", "no"),
    });
    expect((await cli(["tools", "--made"])).stdout).toMatch(
      /^tool:say_hello@[0-9a-f]{32} +proposed +version 1 +made by agent ada +Says something\.$/m,
    );
    const { stderr } = await cli(["tools", "--made", "revoke", "say_hello"]);
    expect(stderr).toContain("say_hello is not approved");
    await cli(["approve", "tool:say_hello", "--yes"]);
    await cli(["deny", "tool:say_no", "we never say\u001b[31m no"]);
    const listed = (await cli(["tools", "--made"])).stdout;
    expect(listed).toMatch(/^tool:say_hello@\S+ +active, by person \S+ +version 1 +made by agent ada /m);
    expect(listed).toMatch(/^tool:say_no@\S+ +denied, by person \S+ .* we never say\\u\{1b\}\[31m no$/m);
    const [hello] = parseLines((await cli(["tools", "--made", "say_hello", "--json"])).stdout);
    expect(hello).toMatchObject({
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      decidedAt: expect.stringMatching(/^\d{4}-/),
      language: "shell",
    });

    const file = join(cli.workspace, fileOf("say_hello"));
    await writeFile(file, toolText("say_hello", "HELLO"));
    const one = (await cli(["tools", "--made", "say_hello"])).stdout;
    expect(one).toMatch(/ inactive, by .* its file was changed\n/);
    expect(one).toMatch(/^ {2}\| - .*hello.*\n {2}\| \+ .*HELLO/m);
    await cli(["approve", "tool:say_hello", "--yes"]);
    expect(await statesOf(cli)).toEqual(["say_hello active 2", "say_no denied 1 we never say\u001b[31m no"]);
    const unknown = await cli(["tools", "--made", "say_what"]);
    expect(unknown).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("no agent has made a tool"),
    });
  },
);

testInside(
  "an approved tool is printed as it was approved, and its approval taken back for good, by people only",
  async () => {
    const cli = await createCli({ [fileOf("say_hello")]: toolText("say_hello", "hello") });
    const file = join(cli.workspace, fileOf("say_hello"));
    await cli(["approve", "tool:say_hello", "--yes"]);
    const approved = await readFile(file, "utf8");
    await rm(file);
    expect(await statesOf(cli)).toEqual(["say_hello inactive 1 its file is gone"]);
    const { stdout: exported } = await cli(["tools", "--made", "export", "say_hello"]);
    expect(exported).toBe(approved);
    await writeFile(file, exported);
    expect(await statesOf(cli)).toEqual(["say_hello active 1"]);

    const elsewhere = await createCli({ [fileOf("say_hello")]: exported });
    expect(await statesOf(elsewhere)).toEqual(["say_hello proposed 1"]);

    const revoke = ["tools", "--made", "revoke", "say_hello", "it is rude"];
    const byModel = await cli(revoke, { environment: { [markerVariable]: "1" } });
    expect(byModel.stderr).toContain("only a person may use `toolwright tools --made revoke`");
    expect(await statesOf(cli)).toEqual(["say_hello active 1"]);
    expect(await cli(revoke)).toMatchObject({
      exitCode: 0,
      stderr: expect.stringMatching(/^tool:.* is revoked\n/),
    });
    expect(await statesOf(cli)).toEqual(["say_hello revoked 1 it is rude"]);
    expect((await cli(["call", "say_hello"])).exitCode).not.toBe(0);
    expect((await cli(["approvals"])).stderr).toBe("nothing needs approval\n");
    expect((await cli(revoke)).stderr).toContain("say_hello is not approved");

    // The number of a version that was revoked is not given again.
    await writeFile(file, toolText("say_hello", "hi"));
    expect(await statesOf(cli)).toEqual(["say_hello proposed 2", "say_hello revoked 1 it is rude"]);
  },
);
