import { createDialectView, ruleNames } from "../dialects/index.ts";
import type { RuleNames } from "../policy/index.ts";
import { createRegistry } from "../registry/index.ts";
import { addSources } from "./assemble/add-sources.ts";
import type { RuntimePlan } from "./assemble/assemble-runtime.ts";
import { runtimeDialect } from "./assemble/open-dialects.ts";
import { joinTools } from "./builtin-tools.ts";
import { declareOptions } from "./declare-options.ts";

/** The names that rules may use, without opening a runtime: its policy may be the subject. */
export async function readRuleNames({
  capabilities,
  options,
}: Pick<RuntimePlan, "capabilities" | "options">): Promise<{ names: RuleNames; close(): Promise<void> }> {
  declareOptions(capabilities).check(options);
  const { tools, roles } = joinTools(capabilities);
  const dialect = runtimeDialect(options, { tools, roles });
  const registry = createRegistry();
  await addSources(registry, { builtin: tools, dialect }, options);
  const { nearest } = createDialectView(dialect, registry);
  return { names: ruleNames([dialect], { ...roles, registry, nearest }), close: registry.close };
}
