import { isatty } from "node:tty";

type Style = Parameters<typeof import("node:util")["styleText"]>[0];

/** The output of a command: data go to stdout, messages for a person to stderr. */
export interface CommandOutput {
  /** Writes data to stdout. Resolves when it was written; false once the reader has closed the pipe. */
  write(text: string): Promise<boolean>;
  /** Writes a value to stdout, as one line. */
  writeJson(value: unknown): Promise<boolean>;
  writeJsonLines(values: readonly unknown[]): Promise<boolean>;
  /** Writes a message to stderr. */
  tell(text: string): Promise<void>;
  /** Colours data if stdout is a terminal that shows colours. */
  style(style: Style, text: string): string;
  /** Colours a message if stderr is a terminal that shows colours. */
  styleMessage(style: Style, text: string): string;
  /** Width of the terminal that shows stderr; undefined if it is not a terminal. */
  messageColumns(): number | undefined;
  /** Stdout is a terminal. */
  readonly isTerminal: boolean;
  /** Why data was lost, such as a full disk. A reader that closed the pipe does not count. */
  readonly failure: Error | undefined;
}

/** Opens each stream on first use only, because Node takes longer to create one than most commands take to run. */
export function createCommandOutput(): CommandOutput {
  let hasReader = true;
  let failure: Error | undefined;
  let stdout: NodeJS.WriteStream | undefined;
  let stderr: NodeJS.WriteStream | undefined;
  // `toolwright log | head` closes the pipe early, which is not an error.
  const openStdout = () =>
    process.stdout.on("error", (error: NodeJS.ErrnoException) => {
      hasReader = false;
      if (error.code !== "EPIPE") failure = error;
    });
  const openStderr = () => process.stderr.on("error", () => {});
  const isTerminal = isatty(1);
  const write = async (text: string) => {
    stdout ??= openStdout();
    if (hasReader && text !== "") await send(stdout, text);
    return hasReader;
  };
  const writeJsonLines = (values: readonly unknown[]) =>
    write(values.map((value) => `${JSON.stringify(value)}\n`).join(""));
  return {
    isTerminal,
    get failure() {
      return failure;
    },
    write,
    writeJsonLines,
    writeJson: (value) => writeJsonLines([value]),
    tell(text) {
      stderr ??= openStderr();
      return send(stderr, text.endsWith("\n") ? text : `${text}\n`);
    },
    style: (style, text) => (isTerminal ? colour(style, text) : text),
    styleMessage: (style, text) => (isatty(2) ? colour(style, text) : text),
    messageColumns: () => (isatty(2) ? process.stderr.columns || undefined : undefined),
  };
}

/**
 * Lets the command end cleanly, on SIGHUP, when its terminal is closed. Without this, the failing write to stderr would
 * end the process first.
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
