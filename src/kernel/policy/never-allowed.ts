import type { AnyTool } from "../../tool/define-tool.ts";
import type { PermissionClass } from "../../tool/permission-request.ts";
import type { Traits } from "../../tool/traits.ts";
import type { Mode } from "./decide.ts";
import { isAbout, isAboutEvery, isAboutWhole, type Rules } from "./rules/rule.ts";

/**
 * Why no call of a tool could pass, whatever its input; undefined if one could. Never says so of a tool that only some
 * calls of are denied, by their path, command or host.
 */
export function whyNeverAllowed(
  { name, tool }: { readonly name: string; readonly tool: DeclaringTool },
  { rules, mode }: { readonly rules: Rules; readonly mode: Mode },
): string | undefined {
  const needs = needsOf(tool);
  const denying = rules.deny.find(
    (rule) => isAboutWhole(rule, name) || needs.some((need) => isAboutEvery(rule, need)),
  );
  if (denying !== undefined) return `rule ${denying.source} denies every call`;
  if (mode !== "readonly") return undefined;
  // An allow rule is stronger than the mode, and may be about some of the calls.
  const lacking = needs.find(
    (need) =>
      need !== "read" && need !== "interact" && !rules.allow.some((rule) => isAbout(rule, name, need)),
  );
  return lacking && `mode readonly denies every call, because each needs the class ${lacking}`;
}

type DeclaringTool = Pick<AnyTool, "permission"> & {
  readonly traits: Pick<Traits, "readOnly" | "openWorld" | "needs">;
};

function needsOf({ traits, permission }: DeclaringTool): readonly PermissionClass[] {
  return traits.needs ?? (permission === undefined ? [classWithoutDeclaration(traits)] : []);
}

/** The class of a call whose tool declares no paths, commands or hosts: such a tool may do anything. */
export function classWithoutDeclaration({
  openWorld,
  readOnly,
}: Pick<Traits, "openWorld" | "readOnly">): PermissionClass {
  if (openWorld) return "network";
  return readOnly ? "read" : "execute";
}
