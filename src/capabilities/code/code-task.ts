import type { ParsedCode } from "../../tool/services/source-code.ts";

/** What the process that parses code is asked to do. */
export interface CodeTask {
  readonly path: string;
  readonly text: string;
}

export type CodeAnswer = { readonly parsed: ParsedCode } | { readonly failure: "not-installed" | "unknown" };
