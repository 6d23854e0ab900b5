import { ToolError } from "../../../../tool/tool-error.ts";

// What Linux takes as one argument, its closing NUL included; others take no less.
const maxCommandBytes = 128 * 1024 - 1;

/** Refuses what could not be handed to the shell byte by byte. */
export function checkCommand(command: string): void {
  if (command.includes("\0")) {
    throw new ToolError("invalid-input", "the command contains a NUL character, which no command can", {
      hint: "Write the NUL as an escape that the program itself understands, such as printf '\\0'.",
    });
  }
  if (!command.isWellFormed()) {
    throw new ToolError("invalid-input", "the command contains half of a character (a lone surrogate)");
  }
  const bytes = Buffer.byteLength(command);
  if (bytes > maxCommandBytes) {
    throw new ToolError(
      "invalid-input",
      `the command is ${bytes} bytes long; the system takes at most ${maxCommandBytes}`,
      { hint: "Write it to a file, then run that file." },
    );
  }
}
