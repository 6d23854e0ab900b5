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
