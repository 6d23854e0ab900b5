import { isatty } from "node:tty";

type Style = Parameters<typeof import("node:util")["styleText"]>[0];

/** Where a command's data and talk go. */
export interface CommandOutput {
  /** Data, for stdout. Resolves when it was taken; false once nobody reads any more. */
  write(text: string): Promise<boolean>;
  /** Talk, for stderr. */
  tell(text: string): Promise<void>;
  /** Data, coloured where a person reads it in colour. */
  style(style: Style, text: string): string;
  /** The same for talk. */
  styleTalk(style: Style, text: string): string;
  /** How wide the terminal is that shows the talk; undefined where there is none. */
  talkColumns(): number | undefined;
  /** A person reads the data on a terminal. */
  readonly isTerminal: boolean;
  /** Why data was lost, such as a disk that is full. That nobody reads it any more is no such reason. */
  readonly failure: Error | undefined;
}

/** Node makes a stream when it is first asked for, which takes longer than most commands; so each waits for its use. */
export function createCommandOutput(): CommandOutput {
  let hasReader = true;
  let failure: Error | undefined;
  let stdout: NodeJS.WriteStream | undefined;
  let stderr: NodeJS.WriteStream | undefined;
  // `toolwright log | head` closes the pipe early, which is no mistake of anybody.
  const openStdout = () =>
    process.stdout.on("error", (error: NodeJS.ErrnoException) => {
      hasReader = false;
      if (error.code !== "EPIPE") failure = error;
    });
  const openStderr = () => process.stderr.on("error", () => {});
  const isTerminal = isatty(1);
  return {
    isTerminal,
    get failure() {
      return failure;
    },
    async write(text) {
      stdout ??= openStdout();
      if (hasReader && text !== "") await send(stdout, text);
      return hasReader;
    },
    tell(text) {
      stderr ??= openStderr();
      return send(stderr, text.endsWith("\n") ? text : `${text}\n`);
    },
    style: (style, text) => (isTerminal ? colour(style, text) : text),
    styleTalk: (style, text) => (isatty(2) ? colour(style, text) : text),
    talkColumns: () => (isatty(2) ? process.stderr.columns || undefined : undefined),
  };
}

/**
 * Lets the work be wound up when the terminal goes away in the middle of it. The signal for that comes beside; that
 * nothing can be written any more would otherwise end the process first.
 */
export function surviveTerminalClose(): void {
  process.stderr.on("error", () => {});
}

function colour(style: Style, text: string): string {
  const { NO_COLOR = "", TERM } = process.env;
  if (NO_COLOR !== "" || TERM === "dumb") return text;
  const { styleText } = process.getBuiltinModule("node:util");
  return styleText(style, text, { validateStream: false });
}

function send(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve) => {
    stream.write(text, () => resolve());
  });
}
