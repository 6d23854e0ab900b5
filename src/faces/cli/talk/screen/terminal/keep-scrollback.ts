import type { Terminal } from "@earendil-works/pi-tui";

/**
 * A terminal whose scrollback is the person's: the library cannot erase it when it draws anew. `onResize` comes before
 * the library learns of a new size, with the column of the cursor if a frame has set it.
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
