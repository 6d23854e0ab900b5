import { readFile } from "node:fs/promises";
import { isLimited, markerVariable } from "../../shared/process-environment.ts";
import { ToolError } from "../../tool/tool-error.ts";

/** Throws if a model may be behind the command, which decides in the name of a person. */
export async function refuseToModels(command: string): Promise<void> {
  if (!(await isStartedBySession())) return;
  throw new ToolError(
    "permission-denied",
    `only a person may use \`toolwright ${command}\`, and this was started by a command of a session; use it in your own terminal`,
  );
}

/**
 * Whether a command or a server of a session started this process: then a model may be behind it, and it must not speak
 * for the person. Looks at all the processes above, since a command can remove the variable for those below, and at the limits
 * that it cannot remove.
 */
export async function isStartedBySession(): Promise<boolean> {
  if (process.env[markerVariable] !== undefined) return true;
  if (isLimited(await readProcessFile(process.pid, "limits"))) return true;
  for (let pid = process.ppid; pid > 1; ) {
    const [environment, stat] = await Promise.all([
      readProcessFile(pid, "environ"),
      readProcessFile(pid, "stat"),
    ]);
    if (`\0${environment}`.includes(`\0${markerVariable}=`)) return true;
    // The name may contain anything, so fields are counted after it: the state, then the parent.
    pid = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1] ?? 0);
  }
  return false;
}

/** Reads a file about a process; empty if the system has none, or does not show it to this user. */
async function readProcessFile(pid: number, name: "environ" | "limits" | "stat"): Promise<string> {
  return readFile(`/proc/${pid}/${name}`, "latin1").catch(() => "");
}
