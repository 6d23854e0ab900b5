import { readFile } from "node:fs/promises";
import { ChildCrashed, createChildPrograms } from "../../machine/child/index.ts";
import { entryFile, packageFile } from "../../shared/entry-file.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { ImportMove, MigrationFinding, SystemName } from "./migration.ts";

export type SourceReader = ReturnType<typeof openSourceReader>;

/** Reads source files in a separate process: the parser is native code, which deep nesting can crash. */
export function openSourceReader() {
  const programs = createChildPrograms<SourceTask, SourceAnswer>(() =>
    entryFile(import.meta.url, { source: "source-main.ts", built: "migrate" }),
  );
  const ask = async (task: SourceTask, signal: AbortSignal): Promise<SourceAnswer> => {
    const answer = await programs.ask(task, { signal }).catch((error: unknown): SourceAnswer => {
      if (error instanceof ChildCrashed) return { failure: "unparsable" };
      throw error;
    });
    if ("failure" in answer && answer.failure === "not-installed") throw notInstalled();
    return answer;
  };
  return {
    async exportsOf(system: SystemName, signal: AbortSignal): Promise<EntryExports> {
      const entry = await readEntry(system);
      const answer = entry && (await ask({ kind: "exports", ...entry }, signal));
      return answer !== undefined && "exports" in answer ? answer.exports : {};
    },
    /** Undefined for a file that is too large or too deeply nested to be parsed. */
    async uses(task: UsesTask, signal: AbortSignal): Promise<SourceUses | undefined> {
      const answer = await ask({ kind: "uses", ...task }, signal);
      return "uses" in answer ? answer.uses : undefined;
    },
    close: programs.close,
  };
}

function notInstalled(): ToolError {
  return new ToolError(
    "unavailable",
    "reading code needs the optional package oxc-parser, which is not installed for this platform",
    { hint: 'Install it with "npm install oxc-parser".' },
  );
}

/** The text of an entry point, of which its exports are read: as it is built, for its types are nowhere else. */
async function readEntry(system: SystemName): Promise<{ path: string; text: string } | undefined> {
  const path = packageFile(import.meta.url, {
    source: `../${system}/index.ts`,
    built: `systems/${system}/index.d.ts`,
  });
  const text = await readFile(path, "utf8").catch(() => undefined);
  return text === undefined ? undefined : { path, text };
}

/** A task for the process that parses a project's files. */
export type SourceTask =
  | { readonly kind: "exports"; readonly path: string; readonly text: string }
  | ({ readonly kind: "uses" } & UsesTask);

export interface UsesTask {
  readonly path: string;
  readonly text: string;
  readonly system: SystemName;
  readonly exports: EntryExports;
  /** Names that the project has for the system's package. */
  readonly aliases: readonly string[];
}

export type SourceAnswer =
  | { readonly exports: EntryExports }
  | { readonly uses: SourceUses }
  | { readonly failure: "not-installed" | "unparsable" };

/** The names that an entry point exports, and whether each exists at run time. */
export type EntryExports = Readonly<Record<string, "value" | "type">>;

export interface SourceUses {
  readonly imports: readonly (Omit<ImportMove, "file"> & Span)[];
  readonly findings: readonly Omit<MigrationFinding, "file">[];
  /** The mistake in the syntax of a file that could not be parsed. */
  readonly problem: { readonly line: number; readonly message: string } | undefined;
}

/** Where a module's name stands, with its quotes. */
interface Span {
  readonly start: number;
  readonly end: number;
}
