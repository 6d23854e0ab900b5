import type { EcmaScriptModule } from "oxc-parser";

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

/** Finds the line of a place in a text, counted from 1. */
export function createLineNumbers(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

/** A part of the syntax tree; the type has only the fields that are looked at. */
export interface SourceNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

export function isNode(value: unknown): value is SourceNode {
  return typeof value === "object" && value !== null && typeof (value as SourceNode).type === "string";
}

export function nodesIn(value: unknown): readonly SourceNode[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** The name of an identifier, or the text of a literal. */
export function nameIn(value: unknown): string | undefined {
  if (!isNode(value)) return undefined;
  if (typeof value.name === "string")
    return value.type === "PrivateIdentifier" ? `#${value.name}` : value.name;
  return typeof value.value === "string" || typeof value.value === "number" ? String(value.value) : undefined;
}
