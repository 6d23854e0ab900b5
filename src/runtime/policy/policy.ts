import type { ScriptReading } from "./commands/script-reading.ts";
import type { Mode } from "./decide.ts";
import type { WorkspacePaths } from "./paths/workspace-paths.ts";
import type { ListTree } from "./restricted-names.ts";
import type { Rules } from "./rules/rule.ts";

/** What the calls of a session are judged by. */
export interface Policy {
  readonly rules: Rules;
  readonly mode: Mode;
  /** Where paths lead, and what the floor says of it. */
  readonly paths: Pick<WorkspacePaths, "root" | "resolve" | "floorOf">;
  /** Where a path leads for the verdict alone, where that has to say more than opening it would. */
  readonly resolveForVerdict?: WorkspacePaths["resolve"];
  /** What lies in a folder: a rule may speak of some of it. */
  readonly listTree: ListTree;
  /** What a script would do; absent where nothing can run one. */
  readScript?(script: string, directory: string | undefined): Promise<ScriptReading>;
}
