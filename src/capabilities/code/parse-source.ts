import type { EcmaScriptModule } from "oxc-parser";
import type { SourceNode } from "./source-node.ts";

/** A parsed file; with a syntax error, the part before it. */
export interface ParsedSource {
  readonly body: readonly SourceNode[];
  readonly module: EcmaScriptModule;
  readonly errors: readonly { readonly message: string; readonly offset: number }[];
}

/** Parses a text; its path says which language it is in. Deep nesting can crash the process. */
export type ParseSource = (path: string, text: string) => ParsedSource;

/** Undefined if the parser is not installed for this platform. */
export async function loadSourceParser(): Promise<ParseSource | undefined> {
  const parser = await import("oxc-parser").catch(() => undefined);
  if (parser === undefined) return undefined;
  return (path, text) => {
    const { program, module, errors } = parser.parseSync(path, text);
    return {
      body: program.body as unknown as readonly SourceNode[],
      module,
      errors: errors.map(({ message, labels }) => ({ message, offset: labels[0]?.start ?? 0 })),
    };
  };
}
