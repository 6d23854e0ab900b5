import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/** Where a command's data and talk go. */
export interface Output {
  /** Data, for stdout. Resolves when it was taken; false once nobody reads any more. */
  write(text: string): Promise<boolean>;
  /** Talk, for stderr. */
  tell(text: string): Promise<void>;
  /** Coloured where a person reads it in colour. */
  style(style: Style, text: string): string;
  /** A person reads the data on a terminal. */
  readonly isTerminal: boolean;
}

export function createOutput({ stdout, stderr }: Pick<NodeJS.Process, "stdout" | "stderr">): Output {
  let hasReader = true;
  // `toolwright log | head` closes the pipe early, which is no mistake of anybody.
  stdout.on("error", () => {
    hasReader = false;
  });
  stderr.on("error", () => {});
  const isTerminal = stdout.isTTY === true;
  const isColoured = isTerminal && (process.env.NO_COLOR ?? "") === "";
  return {
    isTerminal,
    async write(text) {
      if (hasReader && text !== "") await send(stdout, text);
      return hasReader;
    },
    tell: (text) => send(stderr, text.endsWith("\n") ? text : `${text}\n`),
    style: (style, text) => (isColoured ? styleText(style, text, { validateStream: false }) : text),
  };
}

function send(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve) => {
    stream.write(text, () => resolve());
  });
}
