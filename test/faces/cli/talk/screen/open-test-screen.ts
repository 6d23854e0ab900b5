import type { Terminal } from "@earendil-works/pi-tui";
import headless from "@xterm/headless";
import { onTestFinished } from "vitest";
import { loadTerminalLibrary } from "../../../../../src/faces/cli/talk/screen/load-terminal-library.ts";
import { openTalkScreen } from "../../../../../src/faces/cli/talk/screen/talk-screen.ts";
import { until } from "../../../../support/until.ts";

/** The screen of an interactive session on a terminal in memory: what a person sees, without a process for it. */
export async function openTestScreen({
  columns = 80,
  rows = 30,
  workspace = "/nowhere",
  suspend = async () => {},
  pace = { whenReady: (): Promise<void> | undefined => undefined },
} = {}) {
  const emulator = new headless.Terminal({ cols: columns, rows, scrollback: 20_000, allowProposedApi: true });
  let press = (_data: string): void => {};
  let changeSize = (): void => {};
  let written = 0;
  let pending = 0;
  let raw = "";
  const write = (data: string): void => {
    written += data.length;
    raw = (raw + data).slice(-100_000);
    pending += 1;
    emulator.write(data, () => {
      pending -= 1;
    });
  };
  const terminal: Terminal = {
    start(onInput, onResize) {
      press = onInput;
      changeSize = onResize;
    },
    stop() {
      press = () => {};
    },
    drainInput: async () => {},
    write,
    get columns() {
      return emulator.cols;
    },
    get rows() {
      return emulator.rows;
    },
    kittyProtocolActive: false,
    moveBy: (lines) => write(lines > 0 ? `\u001b[${lines}B` : lines < 0 ? `\u001b[${-lines}A` : ""),
    hideCursor: () => write("\u001b[?25l"),
    showCursor: () => write("\u001b[?25h"),
    clearLine: () => write("\u001b[K"),
    clearFromCursor: () => write("\u001b[J"),
    clearScreen: () => write("\u001b[2J\u001b[H"),
    setTitle() {},
    setProgress() {},
  };
  const left = Promise.withResolvers<void>();
  const screen = openTalkScreen(await loadTerminalLibrary(), {
    terminal,
    style: (_style, text) => text,
    workspace,
    pace,
    hungUp: new AbortController().signal,
    narrowing: "breaks-others",
    suspend,
    onLeave: left.resolve,
  });
  await screen.prepare();
  onTestFinished(() => screen.stop());
  const read = (from: number): string => {
    const { active } = emulator.buffer;
    const lines = Array.from({ length: active.length - from }, (_, row) =>
      (active.getLine(from + row)?.translateToString(true) ?? "").trimEnd(),
    );
    return lines.join("\n").trimEnd();
  };
  return {
    screen,
    /** Resolves when the person leaves before there is anybody to talk to. */
    leftEarly: left.promise,
    /** The last of what was written to the terminal. */
    raw: () => raw,
    /** How many characters were written to the terminal so far. */
    written: () => written,
    /** One key, or a paste, at a time. */
    press(...keys: readonly string[]) {
      for (const key of keys) press(key);
    },
    type(text: string) {
      for (const character of text) press(character);
    },
    resize(wanted: number, height = rows) {
      emulator.resize(wanted, height);
      changeSize();
    },
    /** The rows that are visible now. */
    visible: () => read(emulator.buffer.active.baseY),
    /** Everything since the beginning, with what has scrolled away. */
    all: () => read(0),
    async shows(expected: string | RegExp) {
      const isThere = () =>
        pending === 0 && (typeof expected === "string" ? read(0).includes(expected) : expected.test(read(0)));
      await until(isThere);
    },
  };
}
