import { builtinNames } from "./kode-builtins.ts";
import type { ToolRegistry } from "./kode-registries.ts";
import type { KodeAgentConfig, KodePermission, KodeTemplate, KodeToolInstance } from "./kode-types.ts";

export interface ChosenKodeTools {
  /** Those that are not built in. */
  readonly instances: readonly KodeToolInstance[];
  /** The only ones that the agent may use; undefined for all. */
  readonly names?: readonly string[];
}

/** The tools of an agent: given as they are, by the names of registered or built-in ones, or all. */
export function chooseKodeTools({
  config,
  template,
  toolRegistry,
  permission,
}: {
  readonly config: KodeAgentConfig;
  readonly template: KodeTemplate | undefined;
  readonly toolRegistry: ToolRegistry;
  readonly permission: KodePermission;
}): ChosenKodeTools {
  const given = config.tools ?? template?.tools ?? "*";
  const instances = new Map<string, KodeToolInstance>();
  const names: string[] = [];
  for (const each of given === "*" ? toolRegistry.list() : given) {
    if (typeof each === "string" && toolRegistry.has(each)) {
      const instance = toolRegistry.create(each);
      instances.set(instance.name, instance);
      names.push(instance.name);
    } else if (typeof each === "string") names.push(each);
    else {
      if (!("isBuiltin" in each)) instances.set(each.name, each);
      names.push(each.name);
    }
  }
  const { allowTools } = permission;
  const all = given === "*" ? [...names, ...builtinNames] : names;
  const allowed = allowTools === undefined ? names : all.filter((name) => allowTools.includes(name));
  const isLimited = given !== "*" || allowTools !== undefined;
  return { instances: [...instances.values()], ...(isLimited && { names: allowed }) };
}
