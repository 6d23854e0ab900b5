import type { Word } from "../../shell-syntax/index.ts";
import type { Program } from "../program.ts";
import { archivePrograms } from "./archives.ts";
import { builtinPrograms } from "./builtins.ts";
import { changingPrograms } from "./changes.ts";
import { gitProgram } from "./git.ts";
import { listingPrograms } from "./listing.ts";
import { networkPrograms } from "./network.ts";
import { pathPrograms } from "./paths.ts";
import { scriptPrograms } from "./scripts.ts";
import { searchPrograms } from "./search.ts";
import { systemPrograms } from "./system.ts";
import { textPrograms } from "./text.ts";
import { versionPrograms } from "./versions.ts";
import { wrappers } from "./wrappers.ts";

/** Every program in the tables. */
export const allPrograms: readonly Program[] = [
  ...builtinPrograms,
  ...textPrograms,
  ...searchPrograms,
  ...listingPrograms,
  ...pathPrograms,
  ...systemPrograms,
  ...scriptPrograms,
  ...archivePrograms,
  ...changingPrograms,
  ...networkPrograms,
  ...versionPrograms,
  gitProgram,
];

const programs: ReadonlyMap<string, Program> = new Map(
  allPrograms.flatMap((program) => program.names.map((name) => [name, program] as const)),
);

export function findProgram(name: string): Program | undefined {
  return programs.get(name);
}

/** Whether a shell function with this name would hide a known program. */
export function isKnownProgram(name: string): boolean {
  return programs.has(name) || wrappers.has(name);
}

/** Whether a command with this name usually does nothing but read. */
export function mostlyReads(name: Word | undefined): boolean {
  if (name === undefined) return true;
  const program = name.kind === "literal" ? programs.get(name.text) : undefined;
  return program === gitProgram || (program !== undefined && readingCategories.has(program.category));
}

const readingCategories: ReadonlySet<Program["category"]> = new Set(["search", "read", "list", "neutral"]);
