import type { ScriptReading } from "../../machine/command-reading/read-command.ts";
import type { Sandbox, SandboxStatus } from "../../machine/sandbox/index.ts";
import { once } from "../../shared/once.ts";
import type { PermissionRequest } from "../../tool/permission-request.ts";
import type { Confinement } from "./confinement/confinement.ts";
import type { FolderUse, FoundSecret } from "./confinement/secrets-in-sight.ts";
import type { Mode } from "./decide.ts";
import { isProtectedName } from "./paths/judge-path.ts";
import type { WorkspacePaths } from "./paths/workspace-paths.ts";
import type { ListTree } from "./restricted-names.ts";
import type { Grants } from "./rules/grants.ts";
import type { JudgedRequest } from "./rules/match-request.ts";
import type { Rules } from "./rules/rule.ts";
import type { SessionMode } from "./session-mode.ts";
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
  readonly taint?: { readonly sources: readonly TaintSource[] };
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
  readonly databaseRequests?: ((request: PermissionRequest) => readonly JudgedRequest[]) | undefined;
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

export interface PolicyParts extends Pick<Policy, "listTree" | "isOwnHost" | "databaseRequests"> {
  readonly source: PolicySource;
  readonly grants: Pick<Grants, "join">;
  readonly taint: {
    readonly sources: readonly TaintSource[];
    /** Reads it again, because a person may have ended it from another process. */
    refresh(): Promise<void>;
  };
  readonly mode: Pick<SessionMode, "current">;
  readonly paths: WorkspacePaths;
  sandbox(): Promise<SandboxStatus & Pick<Sandbox, "submodules">>;
  /** The directory and environment that a command would run in. */
  readonly shell: {
    locate(directory: string | undefined): Promise<string>;
    environment(): Promise<Readonly<Record<string, string>>>;
  };
}

/** The rules that hold now, which may change while a session is open. */
export interface PolicySource {
  readonly current: {
    readonly rules: Rules;
    /** The widest mode that a session may have. */
    readonly maxMode?: Mode | undefined;
    readonly broken?: string | undefined;
  };
  refresh(): Promise<void> | undefined;
}

/** Creates a session's policy. The command reader is loaded with the first command. */
export function openPolicy({ source, grants, taint, mode, shell, sandbox, ...policy }: PolicyParts): Policy {
  const { paths } = policy;
  const openSecrets = once(async () => {
    const { createSecretsInSight } = await import("./confinement/secrets-in-sight.ts");
    return createSecretsInSight({ ...paths, sandbox });
  });
  let confined: { rules: Rules; confinement: Promise<Confinement | undefined> } | undefined;
  return {
    ...policy,
    get current() {
      const { rules, broken } = source.current;
      return { rules: grants.join(rules), broken, mode: mode.current };
    },
    refresh: () =>
      source.refresh()?.then(taint.refresh) ?? (taint.sources.length === 0 ? undefined : taint.refresh()),
    taint,
    confinement() {
      const rules = grants.join(source.current.rules);
      if (confined?.rules !== rules)
        confined = { rules, confinement: openConfinement({ rules, paths, sandbox }) };
      return confined.confinement;
    },
    findSecretIn: async (folder, use) => (await openSecrets())(folder, use),
    isConfined: async () => (await sandbox()).kind !== "none",
    async readScript(script, directory) {
      const { readCommand } = await import("../../machine/command-reading/read-command.ts");
      return readCommand(script, {
        directory: await shell.locate(directory),
        workspace: paths.root,
        folders: paths.roots.folders,
        environment: await shell.environment(),
        isProtectedName,
        newSubmodules: async () => (await sandbox()).submodules(),
      });
    },
  };
}

/** Loaded with the first command, and only if there are rules. */
async function openConfinement({
  rules,
  paths: { root, roots },
  sandbox,
}: Pick<PolicyParts, "paths" | "sandbox"> & { readonly rules: Rules }): Promise<Confinement | undefined> {
  if (rules.deny.length + rules.ask.length === 0) return undefined;
  const [{ createConfinement }, { createRestrictedPaths }, { readGitIndex }] = await Promise.all([
    import("./confinement/confinement.ts"),
    import("./confinement/restricted-paths.ts"),
    import("../../machine/sandbox/protected/git-index.ts"),
  ]);
  return createConfinement({
    rules,
    root,
    sandbox,
    findRestricted: createRestrictedPaths(rules, { root, folders: roots.folders }),
    async findTracked(paths) {
      const index = await readGitIndex(root);
      return paths.filter((path) => index.tracks(path) || index.mayTrackIn(path));
    },
  });
}
