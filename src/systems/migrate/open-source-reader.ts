import { readFile } from "node:fs/promises";
import { ChildCrashed, createChildPrograms } from "../../machine/child/child-programs.ts";
import { entryFile, packageFile } from "../../shared/entry-file.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { SystemName } from "./moves/system-names.ts";
import type { EntryExports, FoundAlias, SourceAnswer, SourceTask, SourceUses } from "./source-task.ts";

/** Reads source files in a separate process: the parser is native code, which deep nesting can crash. */
export interface SourceReader {
  exportsOf(system: SystemName, signal: AbortSignal): Promise<EntryExports>;
  aliases(task: Omit<Task<"aliases">, "kind">, signal: AbortSignal): Promise<readonly FoundAlias[]>;
  /** Undefined for a file that is too large or too deeply nested to be parsed. */
  uses(task: Omit<Task<"uses">, "kind">, signal: AbortSignal): Promise<SourceUses | undefined>;
  close(): Promise<void>;
}

type Task<Kind> = Extract<SourceTask, { kind: Kind }>;

export function openSourceReader(): SourceReader {
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
    async exportsOf(system, signal) {
      const entry = await readEntry(system);
      const answer = entry && (await ask({ kind: "exports", ...entry }, signal));
      return answer !== undefined && "exports" in answer ? answer.exports : { names: {} };
    },
    async aliases(task, signal) {
      const answer = await ask({ kind: "aliases", ...task }, signal);
      return "aliases" in answer ? answer.aliases : [];
    },
    async uses(task, signal) {
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
