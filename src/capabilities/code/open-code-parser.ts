import { ChildCrashed, createChildPrograms } from "../../machine/child/index.ts";
import { entryFile } from "../../shared/entry-file.ts";
import type { ParsedCode } from "../../tool/services/source-code.ts";
import { ToolError } from "../../tool/tool-error.ts";

export type CodeParser = ReturnType<typeof openCodeParser>;

/** Opens the parser, in a separate process. */
export function openCodeParser() {
  const programs = createChildPrograms<CodeTask, CodeAnswer>(() =>
    entryFile(import.meta.url, { source: "code-main.ts", built: "code" }),
  );
  return {
    async parse(task: CodeTask, signal: AbortSignal): Promise<ParsedCode> {
      const answer = await programs.ask(task, { signal }).catch((error: unknown): CodeAnswer => {
        if (error instanceof ChildCrashed) return { failure: "unknown" };
        throw error;
      });
      if ("parsed" in answer) return answer.parsed;
      if (answer.failure === "unknown")
        throw new ToolError("too-large", `${task.path} is too large or too deeply nested to be parsed`);
      throw new ToolError(
        "unavailable",
        "reading code needs the optional package oxc-parser, which is not installed for this platform",
        { hint: 'Install it with "npm install oxc-parser", or search the files instead.' },
      );
    },
    close: programs.close,
  };
}

/** A task for the process that parses code. */
export interface CodeTask {
  readonly path: string;
  readonly text: string;
}

export type CodeAnswer = { readonly parsed: ParsedCode } | { readonly failure: "not-installed" | "unknown" };
