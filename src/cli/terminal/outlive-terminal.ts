/**
 * Lets the work be wound up when the terminal goes away in the middle of it. The signal for that comes beside; that
 * nothing can be written any more would otherwise end the process first.
 */
export function outliveTerminal(): void {
  process.stderr.on("error", () => {});
}
