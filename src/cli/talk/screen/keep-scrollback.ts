import type { Terminal } from "@earendil-works/pi-tui";

/** A terminal whose scrollback is the person's: what the library would erase there when it draws anew stays. */
export function keepScrollback<Kind extends Terminal>(terminal: Kind): Kind {
  const write = terminal.write.bind(terminal);
  terminal.write = (text) => write(text.replaceAll("\u001b[3J", ""));
  return terminal;
}
