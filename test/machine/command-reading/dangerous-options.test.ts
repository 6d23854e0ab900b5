import { expect, test } from "vitest";
import type { ProgramDefinition } from "../../../src/machine/command-reading/program.ts";
import { allPrograms } from "../../../src/machine/command-reading/tables/index.ts";
import { judgeLine, openWorld } from "./judge-line.ts";

/** The ways to write one option of the notation of the tables, after harmless ones, among operands, and in a bundle. */
function waysToWrite(notation: string, { harmless = "" }: ProgramDefinition): string[] {
  const [, name = ""] = /^(.+?)(?:=\d?|[?:])?$/.exec(notation)!;
  const plain = harmless.split(" ").filter((each) => each !== "" && !/[=?:]/.test(each));
  const letters = plain.filter((each) => /^-[a-zA-Z]$/.test(each)).slice(0, 6);
  const ways = [`${name} x`, `a ${name} x b`, ...plain.slice(0, 6).map((each) => `${each} ${name} x`)];
  if (name.startsWith("--")) return [...ways, `${name}=x`, `a ${name}=x`, `${name.slice(0, -1)}=x`];
  if (name.length > 2) return ways;
  return [
    ...ways,
    `${name}x`,
    ...letters.flatMap((letter) => [`${letter}${name[1]} x`, `${letter}${name[1]}x`]),
  ];
}

const programs = allPrograms.filter(({ asks, writes }) => asks !== undefined || writes !== undefined);

test.each(programs.map((program) => [program.names[0]!, program] as const))(
  "%s asks about a dangerous option wherever it stands",
  async (name, program) => {
    const world = await openWorld();
    const notations = [...Object.values(program.asks ?? {}), program.writes ?? ""].flatMap((each) =>
      each.split(" "),
    );
    const lines = notations
      .filter((notation) => notation !== "")
      .flatMap((notation) => waysToWrite(notation, program).map((way) => `${name} ${way}`));
    const judged = await Promise.all(
      lines.map(async (line) => ({ line, ...(await judgeLine(line, world)) })),
    );
    expect(judged.filter(({ isAllowed }) => isAllowed).map(({ line }) => line)).toEqual([]);
  },
);

test("an option that no table names asks", async () => {
  const world = await openWorld();
  const lines = allPrograms
    .filter(({ hasNoOptions }) => hasNoOptions !== true)
    .flatMap(({ names: [name] }) => [`${name} --unheard-of`, `${name} --unheard-of=x`, `${name} -\u00e4`]);
  const judged = await Promise.all(lines.map(async (line) => ({ line, ...(await judgeLine(line, world)) })));
  expect(judged.filter(({ isAllowed }) => isAllowed).map(({ line }) => line)).toEqual([]);
});

test("a program with only harmless or reading options lists no other", () => {
  const wrong = allPrograms.filter((program) => {
    const { hasOnlyHarmlessOptions, hasOnlyReadingOptions, asks, reads, writes } = program;
    if (hasOnlyReadingOptions) return hasOnlyHarmlessOptions || writes !== undefined;
    return hasOnlyHarmlessOptions && (asks ?? reads ?? writes) !== undefined;
  });
  expect(wrong.map(({ names }) => names)).toEqual([]);
});
