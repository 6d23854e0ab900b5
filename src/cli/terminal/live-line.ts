import { formatElapsed } from "../display/format-time.ts";

/** The last line of the terminal, which tells what is going on right now and is gone when there is something to say. */
export interface LiveLine {
  /** What to tell; undefined for nothing. */
  set(text: string | undefined): void;
  /** Takes it away until the next time; whatever is printed comes in its place. */
  clear(): void;
  /** Keeps it away, while somebody types. */
  hide(): void;
  show(): void;
}

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const frameMs = 100;

/** Does nothing where nobody looks on, or the terminal cannot take a line away again. */
export function createLiveLine(watched: NodeJS.WriteStream | undefined): LiveLine {
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
    set(next) {
      if (next !== text) since = performance.now();
      text = next;
      if (stream === undefined) return;
      if (next === undefined) {
        clearInterval(timer);
        timer = undefined;
        clear();
      } else timer ??= setInterval(draw, frameMs).unref();
    },
    clear,
    hide() {
      isHidden = true;
      clear();
    },
    show() {
      isHidden = false;
    },
  };
}

/** Cut at the edge by the terminal itself, which alone knows how wide it draws each character: one line can be taken away again. */
function unwrapped(line: string): string {
  return `\u001b[?7l${line}\u001b[?7h`;
}
