import type { SandboxStatus } from "../sandbox/sandbox.ts";
import type { Confinement } from "./confinement/confinement.ts";
import type { WorkspacePaths } from "./paths/workspace-paths.ts";
import type { Policy } from "./policy.ts";

export interface PolicyParts
  extends Pick<Policy, "rules" | "mode" | "listTree" | "isOwnHost" | "taint" | "codePaths"> {
  readonly paths: WorkspacePaths;
  sandbox(): Promise<SandboxStatus>;
  /** The directory and environment that a command would run in. */
  readonly shell: {
    locate(directory: string | undefined): Promise<string>;
    environment(): Promise<Readonly<Record<string, string>>>;
  };
}

/** Creates a session's policy. The command reader is loaded with the first command. */
export function openPolicy({ shell, sandbox, ...policy }: PolicyParts): Policy {
  const { rules, paths } = policy;
  let confinement: Promise<Confinement | undefined> | undefined;
  return {
    ...policy,
    confinement() {
      confinement ??= openConfinement({ rules, paths, sandbox });
      return confinement;
    },
    isConfined: async () => (await sandbox()).kind !== "none",
    async readScript(script, directory) {
      const { readCommands } = await import("./commands/read-commands.ts");
      return readCommands(script, {
        directory: await shell.locate(directory),
        workspace: paths.root,
        environment: await shell.environment(),
      });
    },
  };
}

/** Loaded with the first command, and only if there are rules. */
async function openConfinement({
  rules,
  paths: { root, roots },
  sandbox,
}: Pick<PolicyParts, "rules" | "paths" | "sandbox">): Promise<Confinement | undefined> {
  if (rules.deny.length + rules.ask.length === 0) return undefined;
  const [{ createConfinement }, { createRestrictedPaths }, { readGitIndex }] = await Promise.all([
    import("./confinement/confinement.ts"),
    import("./confinement/restricted-paths.ts"),
    import("../sandbox/protected/git-index.ts"),
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
