import { spawn } from "@lydell/node-pty";
import headless from "@xterm/headless";
import { onTestFinished } from "vitest";
import { until } from "../../../support/until.ts";

/** A program on a real terminal of this size, and what a person sees of it. */
export function openTerminal(
  command: readonly string[],
  { cwd, env, columns, rows = 30 }: { cwd: string; env: NodeJS.ProcessEnv; columns: number; rows?: number },
) {
  const screen = new headless.Terminal({ cols: columns, rows, scrollback: 20_000, allowProposedApi: true });
  const [file = "", ...words] = command;
  const child = spawn(file, words, {
    cols: columns,
    rows,
    cwd,
    env: { TERM: "xterm-256color", ...env } as Record<string, string>,
  });
  let raw = "";
  child.onData((data) => {
    raw += data;
    screen.write(data);
  });
  // What the terminal itself answers, such as its kind.
  screen.onData((data) => child.write(data));
  // The screen shows what it is given a moment later.
  const exited = new Promise<number>((resolve) =>
    child.onExit(({ exitCode }) => screen.write("", () => resolve(exitCode))),
  );
  let hasEnded = false;
  void exited.then(() => {
    hasEnded = true;
  });
  onTestFinished(() => {
    if (!hasEnded) child.kill("SIGKILL");
  });
  const lines = (from: number): string[] => {
    const { active } = screen.buffer;
    const all = Array.from({ length: active.length - from }, (_, row) =>
      (active.getLine(from + row)?.translateToString(true) ?? "").trimEnd(),
    );
    return all;
  };
  return {
    exited,
    raw: () => raw,
    type: (keys: string) => child.write(keys),
    /** As when the connection to it breaks. */
    hangUp: () => child.kill("SIGHUP"),
    resize(wanted: number) {
      screen.resize(wanted, rows);
      child.resize(wanted, rows);
    },
    /** The rows that are visible now. */
    screen: () => lines(screen.buffer.active.baseY).join("\n").trimEnd(),
    /** Everything since the beginning, with what has scrolled away. */
    all: () => lines(0).join("\n").trimEnd(),
    async waitFor(expected: string | RegExp) {
      const giveUpAt = performance.now() + patienceMs;
      const isThere = () => {
        const shown = lines(0).join("\n");
        return typeof expected === "string" ? shown.includes(expected) : expected.test(shown);
      };
      await until(() => isThere() || hasEnded || performance.now() > giveUpAt);
      if (!isThere())
        throw new Error(`the terminal does not show ${expected}:\n${lines(0).join("\n").trimEnd()}`);
    },
  };
}

const patienceMs = 15_000;
