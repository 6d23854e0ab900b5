import type { Terminal } from "@earendil-works/pi-tui";
import type { TerminalLibrary } from "./load-terminal-library.ts";

/** The terminal, whose scrollback is the person's: what the library would erase there when it draws anew stays. */
export function createTalkTerminal({ ProcessTerminal }: Pick<TerminalLibrary, "ProcessTerminal">): Terminal {
  const terminal = new ProcessTerminal();
  const write = terminal.write.bind(terminal);
  terminal.write = (text) => write(text.replaceAll("\u001b[3J", ""));
  return terminal;
}
