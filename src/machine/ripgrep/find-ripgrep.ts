import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { findInstalled } from "../../shared/programs/find-installed.ts";
import { ToolError } from "../../tool/tool-error.ts";

/** Folders to look in. The PATH does not count: it may lead into a workspace. */
const systemFolders = ["/usr/local/bin", "/usr/bin", "/bin", "/opt/homebrew/bin"];

/** Path of the ripgrep that comes with the package or, where its optional parts were not installed, of the system's. */
export async function findRipgrep({
  loadPackaged = () => import("@vscode/ripgrep"),
  folders = systemFolders,
}: {
  readonly loadPackaged?: () => Promise<{ readonly rgPath: string }>;
  readonly folders?: readonly string[];
} = {}): Promise<string> {
  try {
    return (await loadPackaged()).rgPath;
  } catch (cause) {
    const path = await findInstalled("rg", folders);
    if (path !== undefined) return path;
    throw ripgrepUnavailable(cause);
  }
}

/** Starts ripgrep, which searches need, and says its version and path. */
export async function describeRipgrep(): Promise<string> {
  const path = await findRipgrep();
  const { stdout } = await promisify(execFile)(path, ["--version"], { timeout: 5000 });
  return `${stdout.split("\n")[0]} (${path})`;
}

export function ripgrepUnavailable(cause: unknown): ToolError {
  return new ToolError("unavailable", `ripgrep could not be started: ${(cause as Error).message}`, {
    hint: "Install ripgrep with the system's package manager, or reinstall this package with its optional dependencies.",
    cause,
  });
}
