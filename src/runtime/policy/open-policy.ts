import type { Policy } from "./policy.ts";

export interface PolicyParts extends Pick<Policy, "rules" | "mode" | "paths" | "listTree"> {
  /** The directory and environment that a command would run in. */
  readonly shell: {
    locate(directory: string | undefined): Promise<string>;
    environment(): Promise<Readonly<Record<string, string>>>;
  };
}

/** Creates a session's policy. The command reader is loaded with the first command. */
export function openPolicy({ rules, mode, paths, listTree, shell }: PolicyParts): Policy {
  return {
    rules,
    mode,
    paths,
    listTree,
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
