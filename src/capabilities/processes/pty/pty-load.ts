import { ToolError } from "../../../tool/tool-error.ts";

export type Pty = typeof import("@lydell/node-pty");

/** Loads the native terminal library, which not every system has. */
export async function loadPty(): Promise<Pty> {
  try {
    return await import("@lydell/node-pty");
  } catch (cause) {
    throw new ToolError("unavailable", `cannot open a terminal: ${(cause as Error).message}`, {
      hint: "Run the command without a terminal, or install the optional dependency @lydell/node-pty.",
      cause,
    });
  }
}
