import type { ParsedScript, SyntaxNode } from "unbash";

export interface Parser {
  /** Recovers from errors and tells of them in the tree, also in each nested one; gives up only on absurd depths. */
  parse(text: string): ParsedScript;
  /** The children of a node, those behind lazy getters included. */
  forEachChild(node: SyntaxNode, visit: (child: SyntaxNode) => void): void;
}

/** The one place that loads the parser. */
export function loadParser(): Promise<Parser> {
  return import("unbash");
}
