import { ChildCrashed, createChildPrograms } from "../../machine/child/index.ts";
import { entryFile } from "../../shared/entry-file.ts";
import type { ParsedCode } from "../../tool/services/source-code.ts";
import { ToolError } from "../../tool/tool-error.ts";

/** The parser, in a separate process. */
export interface CodeParser {
  parse(task: CodeTask, signal: AbortSignal): Promise<ParsedCode>;
  close(): Promise<void>;
}

export function openCodeParser(): CodeParser {
  const programs = createChildPrograms<CodeTask, CodeAnswer>(() =>
    entryFile(import.meta.url, { source: "code-main.ts", built: "code" }),
  );
  return {
    async parse(task, signal) {
      const answer = await programs.ask(task, { signal }).catch((error: unknown) => {
        throw error instanceof ChildCrashed ? unparsable(task.path) : error;
      });
      if ("parsed" in answer) return answer.parsed;
      throw answer.failure === "not-installed" ? notInstalledHere() : unparsable(task.path);
    },
    close: programs.close,
  };
}

function unparsable(path: string): ToolError {
  return new ToolError("too-large", `${path} is too large or too deeply nested to be parsed`);
}

function notInstalledHere(): ToolError {
  return new ToolError(
    "unavailable",
    "reading code needs the optional package oxc-parser, which is not installed for this platform",
    { hint: 'Install it with "npm install oxc-parser", or search the files instead.' },
  );
}

/** A task for the process that parses code. */
export interface CodeTask {
  readonly path: string;
  readonly text: string;
}

export type CodeAnswer = { readonly parsed: ParsedCode } | { readonly failure: "not-installed" | "unknown" };
