import type { ParsedScript, SyntaxNode } from "unbash";

export interface Parser {
  /** Recovers from errors and reports them in the tree, nested trees included; throws only on absurd depths. */
  parse(text: string): ParsedScript;
  /** Visits a node's children, including those behind lazy getters. */
  forEachChild(node: SyntaxNode, visit: (child: SyntaxNode) => void): void;
}

/** The only place that loads the parser. */
export function loadParser(): Promise<Parser> {
  return import("unbash");
}
