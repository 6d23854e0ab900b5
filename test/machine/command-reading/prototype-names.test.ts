import { expect, test } from "vitest";
import { gitCommands } from "../../../src/machine/command-reading/git/git-commands.ts";
import { allPrograms } from "../../../src/machine/command-reading/tables/index.ts";
import { judgeLine, openWorld } from "./judge-line.ts";

/** Names that every object answers to, and a plain word that means as little to any program. */
const inherited = Object.getOwnPropertyNames(Object.prototype);
const plain = "zzz";

// For sed, the letters of a word are commands.
const programs = allPrograms.map(({ names }) => names[0]!).filter((program) => program !== "sed");

/** The places of a command in which some reader may look a word up in a table. */
const places = (word: string) => [
  word,
  `${word}=1 ls`,
  `echo $${word}`,
  ...programs.flatMap((program) => [
    `${program} ${word}`,
    `${program} --${word}`,
    `${program} --${word}=1 a`,
    `${program} a ${word}`,
  ]),
  ...[...gitCommands.keys()].flatMap((command) => [`git ${command} ${word}`, `git ${command} --${word}`]),
  `git -c ${word}=1 status`,
];

test("names that every object has mean as little in a command as any other word", async () => {
  const world = await openWorld();
  const ofPlain = await Promise.all(places(plain).map((line) => judgeLine(line, world)));
  for (const name of inherited) {
    const lines = places(name);
    const judged = await Promise.all(lines.map((line) => judgeLine(line, world)));
    const outOfLine = lines.filter((_, at) => judged[at]!.isAllowed && !ofPlain[at]!.isAllowed);
    expect(outOfLine, name).toEqual([]);
    const effects = (all: typeof judged, word: string) =>
      JSON.stringify(
        all.map(({ judgement }) => judgement.commands.map(({ effects: { writes } }) => writes)),
      ).replaceAll(word, plain);
    expect(effects(judged, name), name).toBe(effects(ofPlain, plain));
  }
});
