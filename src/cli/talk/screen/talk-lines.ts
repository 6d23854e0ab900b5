import type { Component } from "@earendil-works/pi-tui";
import type { TerminalLibrary } from "./load-terminal-library.ts";

/** Finished lines of the conversation. Their text is printable already; it is wrapped once per width. */
export function createTalkLines(
  lines: readonly string[],
  { wrapTextWithAnsi }: Pick<TerminalLibrary, "wrapTextWithAnsi">,
): Component {
  let wrapped: { readonly width: number; readonly rows: string[] } | undefined;
  return {
    render(width) {
      if (wrapped?.width !== width)
        wrapped = { width, rows: lines.flatMap((line) => wrapTextWithAnsi(line, width)) };
      return wrapped.rows;
    },
    invalidate() {
      wrapped = undefined;
    },
  };
}
