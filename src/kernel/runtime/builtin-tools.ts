import type { SessionView } from "../../tool/tool-context.ts";
import type { RuleSubject } from "../policy/index.ts";
import type { Capability } from "./capability.ts";

/** The tools of all capabilities, and the roles that some have for the kernel. */
export type BuiltinTools = ReturnType<typeof joinTools>;

export function joinTools(capabilities: readonly Pick<Capability, "tools" | "roles">[]) {
  const tools = capabilities.flatMap((each) => each.tools ?? []);
  const roles = capabilities.flatMap((each) => each.roles ?? []);
  return {
    tools,
    roles: {
      /** The name of the tool that finds others; empty if no capability brings one, and then no tool is deferred. */
      searchTool: roles.find(({ searchTool }) => searchTool !== undefined)?.searchTool ?? "",
      readTool: roles.find(({ readTool }) => readTool !== undefined)?.readTool,
      ruleSubjects: new Map<string, RuleSubject>(
        roles.flatMap(({ ruleSubjects = {} }) => Object.entries(ruleSubjects)),
      ),
      /** Offered in every session, never deferred. */
      coreTools: new Set(tools.filter(({ traits }) => traits.deferrable === false).map(({ name }) => name)),
      wantedTools: (session: SessionView) => roles.flatMap(({ wantedTools }) => wantedTools?.(session) ?? []),
    },
  };
}
