import { resolve } from "node:path";
import type { WorkspacePaths } from "../../kernel/policy/index.ts";
import { isText, type KeptKind } from "../../kernel/store/index.ts";
import { ToolError } from "../../tool/tool-error.ts";

/** Where the session's last command ended, as `directory`. */
export const shellPlace: KeptKind<string> = { scope: "shell", isValue: isText };

export type CurrentDirectory = Awaited<ReturnType<typeof openCurrentDirectory>>;

interface DirectoryParts {
  readonly workspace: Pick<WorkspacePaths, "root" | "resolve">;
  /** Where an earlier run's last command ended. */
  readonly known: string | undefined;
  readonly onMove: (path: string) => void;
}

/** Opens the directory where a session's next command starts, unless the command names one itself. */
export async function openCurrentDirectory({ workspace, known, onMove }: DirectoryParts) {
  const { root } = workspace;
  let current = known === undefined ? root : await resolveIn(workspace, known).catch(() => root);
  const move = (to: string) => {
    current = to;
    onMove(to);
  };
  return {
    get path() {
      return current;
    },
    /** The directory with links resolved; throws if it is outside the workspace, or not a directory. */
    resolve: (path: string) => resolveIn(workspace, path),
    /** The absolute directory for a command's `directory` option, or for none; throws if it is outside the workspace. */
    async locate(given: string | undefined): Promise<string> {
      if (given !== undefined) return resolveIn(workspace, given, current);
      try {
        return await resolveIn(workspace, current);
      } catch (error) {
        // Throws once, instead of running the command somewhere unexpected.
        move(root);
        throw lostDirectory(error, root);
      }
    },
    /** Goes to where a command has ended, unless that is out of bounds; returns what to say of it. */
    async follow(ended: string): Promise<string[]> {
      try {
        move(await resolveIn(workspace, ended));
        return [];
      } catch (error) {
        return [`The next command starts in ${current} again: ${(error as Error).message}.`];
      }
    },
  };
}

async function resolveIn(
  workspace: DirectoryParts["workspace"],
  written: string,
  from = workspace.root,
): Promise<string> {
  const { inside, kind, canonical } = await workspace.resolve(resolve(from, written));
  if (!inside) {
    throw new ToolError("outside-workspace", `${written} is outside the workspace`, {
      hint: `Commands can only run in ${workspace.root} or a folder in it.`,
    });
  }
  if (kind === "directory") return canonical;
  const code = kind === "missing" ? "not-found" : "not-a-directory";
  throw new ToolError(code, `${written} ${kind === "missing" ? "does not exist" : "is not a folder"}`);
}

function lostDirectory(error: unknown, root: string): unknown {
  if (!(error instanceof ToolError)) return error;
  return new ToolError(error.code, `the current directory is no longer usable: ${error.message}`, {
    hint: `Run the command again; it starts in ${root}.`,
    cause: error,
  });
}
