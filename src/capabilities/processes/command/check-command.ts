import { ToolError } from "../../../tool/tool-error.ts";

// Linux's limit for one argument, without its closing NUL; other systems allow at least as much.
const maxCommandBytes = 128 * 1024 - 1;

/** Refuses a command that cannot be passed to the shell unchanged. */
export function checkCommand(command: string): void {
  if (command.includes("\0")) {
    const hint = "Write the NUL as an escape that the program understands, such as printf '\\0'.";
    const message = "the command contains a NUL character, which commands cannot contain";
    throw new ToolError("invalid-input", message, { hint });
  }
  if (!command.isWellFormed()) {
    throw new ToolError("invalid-input", "the command contains half a character (a lone surrogate)");
  }
  const bytes = Buffer.byteLength(command);
  if (bytes > maxCommandBytes) {
    const message = `the command is ${bytes} bytes long; the limit is ${maxCommandBytes}`;
    throw new ToolError("invalid-input", message, { hint: "Write it to a file, then run that file." });
  }
}
