import type { ScriptReading } from "../../machine/command-reading/read-command.ts";
import type { PermissionRequest } from "../../tool/permission-request.ts";
import type { Confinement } from "./confinement/confinement.ts";
import type { FolderUse, FoundSecret } from "./confinement/secrets-in-sight.ts";
import type { Mode } from "./decide.ts";
import type { WorkspacePaths } from "./paths/workspace-paths.ts";
import type { ListTree } from "./restricted-names.ts";
import type { JudgedRequest } from "./rules/match-request.ts";
import type { Rules } from "./rules/rule.ts";
import type { TaintSource } from "./taint.ts";

/** Everything that a session's calls are judged by. */
export interface Policy {
  /** What holds now. */
  readonly current: Standing;
  /** Reads policy files that have changed. Rules and mode may be others afterwards. */
  refresh?(): Promise<void> | undefined;
  /** Resolves paths and applies the floor. */
  readonly paths: Pick<WorkspacePaths, "root" | "resolve" | "floorOf">;
  /** The untrusted content that has entered the session. Default: none. */
  readonly taint?: () => readonly TaintSource[];
  /** Whether commands run in a sandbox, which can keep them from the network. */
  isConfined?(): Promise<boolean>;
  /** Resolves paths for verdicts only. Default: `paths.resolve`. */
  readonly resolveForVerdict?: WorkspacePaths["resolve"];
  /** Lists a folder's content, so that rules can be applied to each entry. */
  readonly listTree: ListTree;
  /** Keeps commands from what rules forbid; undefined if no rule needs it. */
  confinement?(): Promise<Confinement | undefined>;
  /** A secret that a command would show by reading a whole folder, or move with it, if nothing would hide it. */
  findSecretIn?(folder: string, use: FolderUse): Promise<FoundSecret | undefined>;
  /** Whether a host belongs to an origin of the user's configuration, which may be anywhere. */
  isOwnHost?(host: string): boolean;
  /** What a use of a declared database touches: its file, or its host; absent if none is declared. */
  databaseRequests?(request: PermissionRequest): readonly JudgedRequest[];
  /** Reads what a script would do; absent if no tool can run scripts. */
  readScript?(script: string, directory: string | undefined): Promise<ScriptReading>;
}

/** The rules and the mode that hold at one moment. */
export interface Standing {
  readonly rules: Rules;
  readonly mode: Mode;
  /** Why a policy file cannot be used, if one cannot. */
  readonly broken?: string | undefined;
}
