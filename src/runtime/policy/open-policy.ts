import type { Policy } from "./policy.ts";

export interface PolicyParts extends Pick<Policy, "rules" | "mode" | "paths" | "listTree"> {
  /** Where a command runs that is given this directory, or none, and what it finds in its environment. */
  readonly shell: {
    locate(directory: string | undefined): Promise<string>;
    environment(): Promise<Readonly<Record<string, string>>>;
  };
}

/** What a session's calls are judged by; what it takes to read commands is loaded with the first one. */
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
