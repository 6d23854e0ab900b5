import type { Sandbox, SandboxStatus } from "../../machine/sandbox/sandbox.ts";
import type { Confinement } from "./confinement/confinement.ts";
import type { Mode } from "./decide.ts";
import { isProtectedName } from "./paths/judge-path.ts";
import type { WorkspacePaths } from "./paths/workspace-paths.ts";
import type { Policy } from "./policy.ts";
import type { Grants } from "./rules/grants.ts";
import type { Rules } from "./rules/rule.ts";
import type { SessionMode } from "./session-mode.ts";
import type { TaintSource } from "./taint.ts";

export interface PolicyParts extends Pick<Policy, "listTree" | "isOwnHost" | "databaseRequests"> {
  readonly source: PolicySource;
  readonly grants: Pick<Grants, "join">;
  readonly taint: {
    list(): readonly TaintSource[];
    /** Notices if a person has ended it from another process. */
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
  let secrets: Promise<NonNullable<Policy["findSecretIn"]>> | undefined;
  let confined: { rules: Rules; confinement: Promise<Confinement | undefined> } | undefined;
  return {
    ...policy,
    get current() {
      const { rules, broken } = source.current;
      return { rules: grants.join(rules), broken, mode: mode.current };
    },
    refresh: () =>
      source.refresh()?.then(taint.refresh) ?? (taint.list().length === 0 ? undefined : taint.refresh()),
    taint: taint.list,
    confinement() {
      const rules = grants.join(source.current.rules);
      if (confined?.rules !== rules)
        confined = { rules, confinement: openConfinement({ rules, paths, sandbox }) };
      return confined.confinement;
    },
    async findSecretIn(folder, use) {
      secrets ??= import("./confinement/secrets-in-sight.ts").then(({ createSecretsInSight }) =>
        createSecretsInSight({ ...paths, sandbox }),
      );
      return (await secrets)(folder, use);
    },
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
