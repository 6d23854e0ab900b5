import type { AnyTool } from "../../tool/define-tool.ts";
import type { SessionView } from "../../tool/tool-context.ts";
import type { RuleSubject } from "../policy/rules/parse-rules.ts";
import type { Capability } from "./capability.ts";

/** The tools of all capabilities, and the roles that some have for the kernel. */
export interface BuiltinTools {
  readonly tools: readonly AnyTool[];
  readonly roles: BuiltinRoles;
}

interface BuiltinRoles {
  /** The name of the tool that finds others; empty if no capability brings one, and then no tool is deferred. */
  readonly searchTool: string;
  readonly readTool: string | undefined;
  readonly ruleSubjects: ReadonlyMap<string, RuleSubject>;
  /** Offered in every session, never deferred. */
  readonly coreTools: ReadonlySet<string>;
  wantedTools(session: SessionView): readonly string[];
}

export function joinTools(capabilities: readonly Pick<Capability, "tools" | "roles">[]): BuiltinTools {
  const tools = capabilities.flatMap((each) => each.tools ?? []);
  const roles = capabilities.flatMap((each) => each.roles ?? []);
  return {
    tools,
    roles: {
      searchTool: roles.find(({ searchTool }) => searchTool !== undefined)?.searchTool ?? "",
      readTool: roles.find(({ readTool }) => readTool !== undefined)?.readTool,
      ruleSubjects: new Map(roles.flatMap(({ ruleSubjects = {} }) => Object.entries(ruleSubjects))),
      coreTools: new Set(tools.filter(({ traits }) => traits.deferrable === false).map(({ name }) => name)),
      wantedTools: (session) => roles.flatMap(({ wantedTools }) => wantedTools?.(session) ?? []),
    },
  };
}
