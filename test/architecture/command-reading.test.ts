import { expect, test } from "vitest";
import { gitCommands } from "../../src/machine/command-reading/git/git-commands.ts";
import type { ProgramDefinition } from "../../src/machine/command-reading/program.ts";
import { archivePrograms } from "../../src/machine/command-reading/tables/archives.ts";
import { builtinPrograms } from "../../src/machine/command-reading/tables/builtins.ts";
import { changingPrograms } from "../../src/machine/command-reading/tables/changes.ts";
import { allPrograms } from "../../src/machine/command-reading/tables/index.ts";
import { listingPrograms } from "../../src/machine/command-reading/tables/listing.ts";
import { networkPrograms } from "../../src/machine/command-reading/tables/network.ts";
import { pathPrograms } from "../../src/machine/command-reading/tables/paths.ts";
import { scriptPrograms } from "../../src/machine/command-reading/tables/scripts.ts";
import { searchPrograms } from "../../src/machine/command-reading/tables/search.ts";
import { systemPrograms } from "../../src/machine/command-reading/tables/system.ts";
import { textPrograms } from "../../src/machine/command-reading/tables/text.ts";
import { versionPrograms } from "../../src/machine/command-reading/tables/versions.ts";
import { wrappers } from "../../src/machine/command-reading/tables/wrappers.ts";
import { readSourceFiles } from "./source-files.ts";

const room = "machine/command-reading/";
const door = `${room}read-command.ts`;

test("command reading is reached by its door alone: policy sees effects, and no programs", async () => {
  const files = await readSourceFiles();
  const past = files
    .filter(({ path }) => !path.startsWith(room))
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ target }) => target.startsWith(room) && target !== door)
        .map(({ target }) => `${path} → ${target}`),
    );
  expect(past).toEqual([]);
});

/** What a table would say more than it did when it was frozen, and the command that was judged wrongly without it. */
interface Addition {
  readonly table: keyof typeof frozen;
  readonly programs?: number;
  readonly options?: number;
  /** As somebody ran it. */
  readonly command: string;
  readonly judged: string;
}

/** Where a sandbox confines a command, its profile decides, so each new line here has to earn its place. */
const additions: readonly Addition[] = [];

const frozen = {
  archives: [12, 67],
  builtins: [28, 43],
  changes: [24, 105],
  git: [42, 2097],
  listing: [20, 386],
  network: [72, 0],
  paths: [5, 37],
  scripts: [8, 120],
  search: [17, 463],
  system: [32, 271],
  text: [51, 727],
  versions: [5, 0],
  wrappers: [28, 122],
} satisfies Record<string, readonly [programs: number, options: number]>;

test("the tables of programs and options are frozen: more of them need a real command that was judged wrongly", () => {
  const tables = {
    archives: archivePrograms,
    builtins: builtinPrograms,
    changes: changingPrograms,
    git: [...gitCommands.values()],
    listing: listingPrograms,
    network: networkPrograms,
    paths: pathPrograms,
    scripts: scriptPrograms,
    search: searchPrograms,
    system: systemPrograms,
    text: textPrograms,
    versions: versionPrograms,
    wrappers: [...new Set([...wrappers.values()].map(({ program }) => program))],
  };
  const counted = Object.entries(tables).map(([name, programs]) => [name, sizeOf(programs)]);
  const allowed = Object.entries(frozen).map(([name, [programs, options]]) => {
    const added = additions.filter(({ table }) => table === name);
    return [name, [programs + sum(added, "programs"), options + sum(added, "options")]];
  });
  expect(Object.fromEntries(counted)).toEqual(Object.fromEntries(allowed));
  // One program is the door to the commands of git.
  const all = Object.values(tables).flat().length - tables.git.length - tables.wrappers.length + 1;
  expect(allPrograms).toHaveLength(all);
});

function sizeOf(programs: readonly ProgramDefinition[]): [programs: number, options: number] {
  const options = programs.flatMap(({ harmless, reads, writes, asks = {} }) =>
    [harmless, reads, writes, ...Object.values(asks)].flatMap((names = "") => names.match(/[^\s|]+/g) ?? []),
  );
  return [programs.flatMap(({ names }) => names).length, options.length];
}

function sum(added: readonly Addition[], what: "programs" | "options"): number {
  return added.reduce((total, { [what]: count = 0 }) => total + count, 0);
}
