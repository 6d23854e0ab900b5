import { isatty } from "node:tty";

type Style = Parameters<typeof import("node:util")["styleText"]>[0];

export type CommandOutput = ReturnType<typeof createCommandOutput>;

/**
 * The output of a command: data go to stdout, messages for a person to stderr. Opens each stream on first use only, because
 * Node takes longer to create one than most commands take to run.
 */
export function createCommandOutput() {
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
  /** Writes data to stdout. Resolves when it was written; false once the reader has closed the pipe. */
  const write = async (text: string): Promise<boolean> => {
    stdout ??= openStdout();
    if (hasReader && text !== "") await send(stdout, text);
    return hasReader;
  };
  const writeJsonLines = (values: readonly unknown[]) =>
    write(values.map((value) => `${JSON.stringify(value)}\n`).join(""));
  return {
    /** Stdout is a terminal. */
    isTerminal,
    /** Why data was lost, such as a full disk. A reader that closed the pipe does not count. */
    get failure() {
      return failure;
    },
    write,
    writeJsonLines,
    /** Writes a value to stdout, as one line. */
    writeJson: (value: unknown) => writeJsonLines([value]),
    /** Writes a message to stderr. */
    tell(text: string): Promise<void> {
      stderr ??= openStderr();
      return send(stderr, text.endsWith("\n") ? text : `${text}\n`);
    },
    /** Colours data if stdout is a terminal that shows colours. */
    style: (style: Style, text: string) => (isTerminal ? colour(style, text) : text),
    /** Colours a message if stderr is a terminal that shows colours. */
    styleMessage: (style: Style, text: string) => (isatty(2) ? colour(style, text) : text),
    /** Width of the terminal that shows stderr; undefined if it is not a terminal. */
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
