import type { Terminal, TuiMainScreen } from "@earendil-works/pi-tui";
import type { TerminalLibrary } from "../load-terminal-library.ts";
import type { ShownConversation } from "../shown-conversation.ts";

/** How a terminal treats rows that are too long when it gets narrower: it cuts or breaks them, or breaks all but the cursor's. */
export type Narrowing = "cuts" | "breaks" | "breaks-others";

/** Finds out which terminal it is. Nearly all break rows; Visual Studio Code uses xterm.js. */
export function findNarrowing({
  TERM = "",
  TMUX,
  XTERM_VERSION,
  TERM_PROGRAM,
}: NodeJS.ProcessEnv): Narrowing {
  if (TMUX !== undefined) return "breaks";
  if (TERM_PROGRAM === "vscode") return "breaks-others";
  return XTERM_VERSION !== undefined || /^(?:linux|screen)/.test(TERM) ? "cuts" : "breaks";
}

export interface LiveRowsParts {
  readonly library: Pick<TerminalLibrary, "visibleWidth">;
  readonly conversation: ShownConversation;
  readonly narrowing: Narrowing;
}

/**
 * After a new size, erases the rows that still change, to be drawn again, and leaves finished ones as the terminal has
 * fitted them: if they were drawn again, they would be in the scrollback twice.
 */
export function eraseLiveRows(
  tui: TuiMainScreen,
  { library: { visibleWidth }, conversation, narrowing }: LiveRowsParts,
  cursorColumn: number | undefined,
): void {
  const { previousLines: lines, previousWidth, hardwareCursorRow: cursorRow } = tui.captureRenderState();
  if (lines.length === 0) return;
  const { columns } = tui.terminal;
  const countRows = (from: number, to: number) =>
    lines
      .slice(from, to)
      .map((line) => (narrowing === "cuts" ? 1 : Math.max(1, Math.ceil(visibleWidth(line) / columns))))
      .reduce((sum, rows) => sum + rows, 0);
  // Without its own cursor, a frame leaves it behind the last row it drew, which may be full.
  const column = cursorColumn ?? Math.min(visibleWidth(lines[cursorRow] ?? ""), previousWidth - 1);
  const broken = narrowing === "breaks" ? Math.floor(column / columns) : 0;
  const top = conversation.shownRows;
  const up = countRows(top, cursorRow) + broken - countRows(cursorRow, top);
  const move = up > 0 ? `\u001b[${up}A` : up < 0 ? `\u001b[${-up}B` : "";
  tui.terminal.write(`\r${move}${eraseBelow}`);
  conversation.letGo();
}

// From the row below on, and then this one: some terminals keep a copy of a screen that is erased as a whole.
const eraseBelow = "\u001b7\u001b[1B\u001b[J\u001b8\u001b[2K";

/**
 * Keeps the library from erasing the terminal's scrollback, which is the person's, when it draws anew. `onResize` is called
 * before the library learns of a new size, with the column of the cursor if a frame has set it.
 */
export function keepScrollback<Kind extends Terminal>(
  terminal: Kind,
  onResize: (cursorColumn: number | undefined) => void,
): Kind {
  const write = terminal.write.bind(terminal);
  const start = terminal.start.bind(terminal);
  let cursorColumn: number | undefined;
  terminal.write = (text) => {
    const column = /\u001b\[(\d+)G$/.exec(text)?.[1];
    cursorColumn = column === undefined ? undefined : Number(column) - 1;
    write(text.replaceAll("\u001b[3J", ""));
  };
  terminal.start = (onInput, redraw) =>
    start(onInput, () => {
      onResize(cursorColumn);
      redraw();
    });
  return terminal;
}
