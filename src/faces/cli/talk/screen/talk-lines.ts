import type { Component } from "@earendil-works/pi-tui";
import type { TerminalLibrary } from "./load-terminal-library.ts";

/** What stands before the first row, and before all others; both are equally wide. */
export interface LineMargin {
  readonly first: string;
  readonly indent: string;
}

/** Finished lines of the conversation. Their text is printable already; it is wrapped once per width. */
export function createTalkLines(
  lines: readonly string[],
  { wrapTextWithAnsi }: Pick<TerminalLibrary, "wrapTextWithAnsi">,
  { first, indent }: LineMargin = { first: "", indent: "" },
): Component {
  let wrapped: { readonly width: number; readonly rows: string[] } | undefined;
  const wrap = (width: number): string[] => {
    const room = Math.max(1, width - indent.length);
    const rows = lines.flatMap((line) => wrapTextWithAnsi(line, room));
    return rows.map((row, index) => `${index === 0 ? first : indent}${row}`);
  };
  return {
    render(width) {
      if (wrapped?.width !== width) wrapped = { width, rows: wrap(width) };
      return wrapped.rows;
    },
    invalidate() {
      wrapped = undefined;
    },
  };
}
