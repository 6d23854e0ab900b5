import { homedir } from "node:os";
import { basename, join } from "node:path";
import { sha256 } from "../shared/sha256.ts";

/** The folder for a workspace's permanent state. It is outside the workspace, so that no tool writes there. */
export function stateFolderOf(workspaceRoot: string, environment: NodeJS.ProcessEnv = process.env): string {
  // The standard says to ignore a relative value.
  const configured = environment.XDG_STATE_HOME;
  const base = configured?.startsWith("/") ? configured : join(homedir(), ".local", "state");
  const name = basename(workspaceRoot).replace(/[^A-Za-z0-9._-]/g, "_") || "root";
  return join(base, "toolwright", `${name}-${sha256(workspaceRoot).slice(0, 16)}`);
}
