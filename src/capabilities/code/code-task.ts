import type { ParsedCode } from "../../tool/services/source-code.ts";

/** A task for the process that parses code. */
export interface CodeTask {
  readonly path: string;
  readonly text: string;
}

export type CodeAnswer = { readonly parsed: ParsedCode } | { readonly failure: "not-installed" | "unknown" };
