import { formatElapsed } from "../display/format-time.ts";

export type LiveLine = ReturnType<typeof createLiveLine>;

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const frameMs = 100;

/**
 * Shows a status line at the bottom of the terminal, with a spinner; printed text takes its place. Does nothing without a
 * stream, or on a terminal that cannot erase a line.
 */
export function createLiveLine(watched: NodeJS.WriteStream | undefined) {
  const stream = process.env.TERM === "dumb" ? undefined : watched;
  let text: string | undefined;
  let since = 0;
  let frame = 0;
  let isDrawn = false;
  let isHidden = false;
  let timer: NodeJS.Timeout | undefined;

  const clear = () => {
    if (isDrawn) stream?.write("\r\u001b[2K");
    isDrawn = false;
  };
  const draw = () => {
    if (text === undefined || isHidden || stream === undefined) return;
    const elapsedMs = performance.now() - since;
    const elapsed = elapsedMs < 1000 ? "" : ` ${formatElapsed(elapsedMs)}`;
    const line = `${frames[frame % frames.length]} ${text}${elapsed}`;
    frame += 1;
    stream.write(`\r\u001b[2K${unwrapped(line.slice(0, stream.columns || 80))}`);
    isDrawn = true;
  };
  return {
    /** Sets the text; undefined removes the line. */
    set(next: string | undefined) {
      if (next !== text) since = performance.now();
      text = next;
      if (stream === undefined) return;
      if (next === undefined) {
        clearInterval(timer);
        timer = undefined;
        clear();
      } else timer ??= setInterval(draw, frameMs).unref();
    },
    /** Erases the line until it is next redrawn, so that text can be printed in its place. */
    clear,
    /** Erases the line until `show`, while the person types. */
    hide() {
      isHidden = true;
      clear();
    },
    show() {
      isHidden = false;
    },
  };
}

/** Lets the terminal cut the line, since only it knows how wide characters are: a wrapped line cannot be erased. */
function unwrapped(line: string): string {
  return `\u001b[?7l${line}\u001b[?7h`;
}
