import { ToolError } from "../../../tool/tool-error.ts";

// The kernel's own limits, in bytes; the second counts the closing NUL.
const maxNameBytes = 255;
const maxPathBytes = 4096;

/** Refuses what no file can be called, before anything is looked up. */
export function checkPath(path: string): void {
  if (path === "") throw refuse("the path is empty", "Use . for the workspace itself.");
  if (path.includes("\0")) throw refuse("the path contains a NUL character");
  // It would be written as U+FFFD and so name another file.
  if (!path.isWellFormed()) throw refuse("the path contains half of a character (a lone surrogate)");
  if (Buffer.byteLength(path) >= maxPathBytes)
    throw refuse(`the path is longer than ${maxPathBytes - 1} bytes`);
  for (const name of path.split("/")) {
    if (Buffer.byteLength(name) > maxNameBytes) {
      throw refuse(`the path contains a name of more than ${maxNameBytes} bytes`);
    }
  }
}

function refuse(message: string, hint?: string): ToolError {
  return new ToolError("invalid-input", message, hint === undefined ? {} : { hint });
}
