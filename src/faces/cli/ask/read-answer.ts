import { createInterface } from "node:readline";
import { openKeyboard } from "../terminal/typed-lines.ts";

/**
 * Reads the answer to a question: a line, or all the lines that arrive at once, as when something is pasted.
 * Undefined when the person pressed Ctrl-C or Ctrl-D, or the signal aborted. Keys pressed before the question appeared
 * are discarded: they were not meant as an answer.
 */
export async function readAnswer(
  question: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<string | undefined> {
  if (signal.aborted) return undefined;
  const keyboard = openKeyboard();
  if (keyboard === undefined) return undefined;
  try {
    // Otherwise the terminal holds back a half-typed line until Enter.
    keyboard.setRawMode(true);
    const earlier = await readEarlier(keyboard);
    if (earlier.includes(ctrlC) || keyboard.destroyed || signal.aborted) return undefined;
    return await readTyped(keyboard, { question, signal });
  } finally {
    if (!keyboard.destroyed) keyboard.setRawMode(false);
    keyboard.destroy();
  }
}

/** Whether an answer is a clear yes. */
export function isYes(answer: string): boolean {
  return /^\s*y(?:es)?\s*$/i.test(answer);
}

type Keyboard = NonNullable<ReturnType<typeof openKeyboard>>;

const ctrlC = "\u0003";

function readEarlier(keyboard: Keyboard): Promise<string> {
  return new Promise((resolve) => {
    let keys = "";
    const end = () => {
      timer.stop();
      keyboard.off("data", onData).off("close", end).pause();
      resolve(keys);
    };
    const timer = createQuietTimer(end);
    const onData = (chunk: Buffer) => {
      keys += chunk.toString("latin1");
      timer.restart();
    };
    keyboard.on("data", onData).on("close", end);
    timer.restart();
  });
}

function readTyped(
  keyboard: Keyboard,
  { question, signal }: { question: string; signal: AbortSignal },
): Promise<string | undefined> {
  // In terminal mode readline itself receives Ctrl-C and closes: here Ctrl-C means no and does not end the process.
  const terminal = createInterface({ input: keyboard, output: process.stderr, terminal: true });
  const leave = () => terminal.close();
  const lines: string[] = [];
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const timer = createQuietTimer(() => {
    const unended = terminal.line === "" ? [] : [terminal.line];
    resolve([...lines, ...unended].join("\n"));
  });
  const onClose = () => {
    timer.stop();
    process.stderr.write("\n");
    resolve(undefined);
  };
  terminal.on("line", (line) => {
    lines.push(line);
    timer.restart();
  });
  // Half a line that arrives right after the others belongs to the same paste.
  keyboard.on("data", () => lines.length > 0 && timer.restart()).on("close", leave);
  // A keyboard that fails also emits `close`.
  terminal.on("error", () => {}).on("close", onClose);
  // Readline stops listening when the process is stopped by Ctrl-Z.
  terminal.on("SIGCONT", () => terminal.resume());
  signal.addEventListener("abort", leave, { once: true });
  terminal.setPrompt(question);
  terminal.prompt();
  return promise.finally(() => {
    signal.removeEventListener("abort", leave);
    // Remove only our listener: readline needs its own to release the terminal.
    terminal.off("close", onClose);
    terminal.close();
  });
}

// A person does not type that fast: input that arrives closer together was pasted or sent together.
const quietMs = 50;

/** Makes a timer that fires once no input has arrived for a moment. */
function createQuietTimer(onQuiet: () => void) {
  let timer: NodeJS.Timeout | undefined;
  let check: NodeJS.Immediate | undefined;
  const stop = () => {
    clearTimeout(timer);
    clearImmediate(check);
  };
  // On a busy machine the timer may fire before waiting input was read; it is read before an immediate runs.
  const checkAgain = () => {
    check = setImmediate(onQuiet);
  };
  return {
    stop,
    /** Starts waiting, or starts over because input arrived. */
    restart() {
      stop();
      timer = setTimeout(checkAgain, quietMs);
    },
  };
}
