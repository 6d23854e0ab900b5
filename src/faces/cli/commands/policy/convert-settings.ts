import type { Mode } from "../../../../kernel/policy/decide.ts";
import { parseRule, type RuleNames } from "../../../../kernel/policy/rules/parse-rules.ts";
import { RuleError } from "../../../../kernel/policy/rules/rule.ts";

/** A policy made of Claude Code's settings, and what could not be carried over. */
export interface ConvertedSettings {
  readonly policy: {
    readonly mode?: Mode;
    readonly maxMode?: Mode;
    readonly deny: readonly string[];
    readonly ask: readonly string[];
    readonly allow: readonly string[];
  };
  readonly leftOut: readonly { readonly setting: string; readonly why: string }[];
}

/** Carries over the `permissions` of a settings file. Rules that would mean something else here are left out. */
export async function convertSettings(
  settings: unknown,
  { names, isOfUser }: { names: RuleNames; isOfUser: boolean },
): Promise<ConvertedSettings> {
  const permissions = asRecord(asRecord(settings).permissions);
  const leftOut: { setting: string; why: string }[] = [];
  const convert = async (list: "allow" | "ask" | "deny") => {
    const given = permissions[list] ?? [];
    if (!Array.isArray(given)) {
      leftOut.push({ setting: list, why: "it is not a list" });
      return [];
    }
    const rules: string[] = [];
    for (const written of given) {
      const rule = typeof written === "string" ? convertRule(written, isOfUser) : undefined;
      const why = rule === undefined ? "it is not a rule" : await findReason(rule, { list, names });
      if (rule !== undefined && why === undefined) rules.push(rule);
      else
        leftOut.push({
          setting: `${list} ${typeof written === "string" ? written : JSON.stringify(written)}`,
          why: why ?? "",
        });
    }
    return [...new Set(rules)];
  };
  const { defaultMode, additionalDirectories, disableBypassPermissionsMode } = permissions;
  const mode = typeof defaultMode === "string" ? modeNames.get(defaultMode) : undefined;
  if (defaultMode !== undefined && mode === undefined)
    leftOut.push({
      setting: `defaultMode ${JSON.stringify(defaultMode)}`,
      why: "there is no such mode here; choose one with --mode",
    });
  if (Array.isArray(additionalDirectories) && additionalDirectories.length > 0) {
    const why = "give them as workspace.extraRoots in the configuration, which opens the workspace";
    leftOut.push({ setting: `additionalDirectories ${additionalDirectories.join(", ")}`, why });
  }
  const policy = {
    ...(mode !== undefined && { mode }),
    ...(disableBypassPermissionsMode === "disable" && { maxMode: "edit" as const }),
    deny: await convert("deny"),
    ask: await convert("ask"),
    allow: await convert("allow"),
  };
  return { policy, leftOut };
}

const modeNames: ReadonlyMap<string, Mode> = new Map([
  ["default", "ask"],
  ["acceptEdits", "edit"],
  ["plan", "readonly"],
  ["bypassPermissions", "auto"],
]);

function convertRule(text: string, isOfUser: boolean): string {
  const rule = text.trim();
  const open = rule.indexOf("(");
  if (open < 1 || !rule.endsWith(")")) return rule;
  const [name, pattern] = [rule.slice(0, open).trim(), rule.slice(open + 1, -1)];
  if (pattern.trim() === "*") return name;
  // There, one slash begins at the folder of the settings file.
  return isOfUser && /^\s*\/(?!\/)/.test(pattern) && name !== "Bash"
    ? `${name}(~/.claude${pattern.trim()})`
    : `${name}(${pattern})`;
}

/** Why a rule cannot be used here; undefined if it can. */
async function findReason(
  rule: string,
  { list, names }: { list: string; names: RuleNames },
): Promise<string | undefined> {
  try {
    await parseRule(rule, { where: "", names, isAllowing: list === "allow" });
    return undefined;
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    return error.message.replace(/^: /, "");
  }
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
