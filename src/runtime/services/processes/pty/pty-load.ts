import { ToolError } from "../../../../tool/tool-error.ts";

export type Pty = typeof import("@lydell/node-pty");

/** Terminals come with a native part that not every system has. */
export async function loadPty(): Promise<Pty> {
  try {
    return await import("@lydell/node-pty");
  } catch (cause) {
    throw new ToolError("unavailable", `a terminal cannot be made here: ${(cause as Error).message}`, {
      hint: "Run the command without a terminal, or install the optional dependency @lydell/node-pty.",
      cause,
    });
  }
}
