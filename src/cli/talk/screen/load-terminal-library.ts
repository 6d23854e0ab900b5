export type TerminalLibrary = typeof import("@earendil-works/pi-tui");

/** Only an interactive session needs it. */
export function loadTerminalLibrary(): Promise<TerminalLibrary> {
  return import("@earendil-works/pi-tui");
}
