import { mkdir, readFile, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import {
  type Mode,
  narrowerMode,
  parseRule,
  policyPlaces,
  projectPolicyFile,
  type RuleList,
  type RuleNames,
} from "../../../../kernel/policy/index.ts";
import { openRuleNames } from "../../../../open-runtime.ts";
import { errorCodeOf } from "../../../../shared/files/error-code.ts";
import { escapeLine } from "../../../../shared/text/escape-controls.ts";
import { type ExitCode, exitCodes, failUsage, type Invocation, UsageError } from "../../command.ts";
import { asUsage } from "../../open/as-usage.ts";
import { optionsFromFlags } from "../../open/options-from-flags.ts";
import { parseJson } from "../../read-values.ts";
import { problemOfRule, rootOf } from "./policy-files.ts";

/** A policy made of Claude Code's settings, and the settings that could not be carried over. */
interface ConvertedSettings {
  readonly policy: Record<RuleList, readonly string[]> & Record<"mode" | "maxMode", Mode | undefined>;
  readonly leftOut: readonly { readonly setting: string; readonly why: string }[];
}

interface ImportedPolicy extends ConvertedSettings {
  readonly from: readonly string[];
  readonly to: string;
}

/** Makes policy files of Claude Code's settings, and reports what could not be carried over. */
export async function importPolicy({ arguments: named, flags, output }: Invocation): Promise<ExitCode> {
  const options = await optionsFromFlags(flags);
  const root = await rootOf(options);
  const { names, close } = await asUsage(() => openRuleNames(options));
  const imported = await readAll(named, { root, names }).finally(close);
  if (imported.length === 0)
    throw new UsageError(
      "there are no settings files of Claude Code here; name one, as in toolwright policy import FILE",
    );
  if (!flags["dry-run"]) for (const each of imported) await write(each, { isForced: flags.force === true });
  if (flags.json) await output.writeJson(imported);
  else {
    for (const { from, to, policy, leftOut } of imported) {
      if (flags["dry-run"]) await output.write(`${JSON.stringify(policy, null, 2)}\n`);
      else await output.write(`${escapeLine(`wrote ${to} from ${from.join(" and ")}`)}\n`);
      for (const { setting, why } of leftOut) await output.tell(escapeLine(`left out ${setting}: ${why}`));
      for (const path of from.filter(isPersonal)) await output.tell(escapeLine(sharingNote(path, to)));
      if (!flags["dry-run"] && to === projectPolicyFile(root) && policy.allow.length > 0)
        await output.tell("Its allow rules are in effect once you run `toolwright trust`.");
    }
  }
  return imported.some(({ leftOut }) => leftOut.length > 0) ? exitCodes.failed : exitCodes.done;
}

/** Whether a file of Claude Code has one person's settings for one project, which are not shared. */
function isPersonal(path: string): boolean {
  return basename(path) === "settings.local.json";
}

function sharingNote(path: string, to: string): string {
  return `${path} holds rules of your own for this project. There is no file for these here, so they are in ${to}, which everybody who gets the project reads; move what should not be shared to ${policyPlaces().user}, where it holds in all your projects.`;
}

async function readAll(
  named: readonly string[],
  { root, names }: { root: string; names: RuleNames },
): Promise<readonly ImportedPolicy[]> {
  const ofUser = join(homedir(), ".claude", "settings.json");
  const ofProject = ["settings.json", "settings.local.json"].map((name) => join(root, ".claude", name));
  const paths = named.length > 0 ? named.map((path) => resolve(path)) : [...ofProject, ofUser];
  const found: (ConvertedSettings & { path: string; to: string })[] = [];
  for (const path of paths) {
    const settings = await readSettings(path, named.length > 0);
    if (settings === undefined) continue;
    const isOfUser = path === ofUser;
    const to = isOfUser ? policyPlaces().user : projectPolicyFile(root);
    found.push({ path, to, ...(await convertSettings(settings, { names, isOfUser })) });
  }
  return [...Map.groupBy(found, ({ to }) => to)].map(([to, files]) => ({
    from: files.map(({ path }) => path),
    to,
    policy: joinPolicies(files.map(({ policy }) => policy)),
    leftOut: files.flatMap(({ leftOut }) => leftOut),
  }));
}

function joinPolicies(policies: readonly ConvertedSettings["policy"][]): ConvertedSettings["policy"] {
  const union = (list: RuleList) => [...new Set(policies.flatMap((policy) => policy[list]))];
  const narrowest = (name: "mode" | "maxMode") => {
    const [first, ...others] = policies.map((policy) => policy[name]).filter((mode) => mode !== undefined);
    return first && others.reduce(narrowerMode, first);
  };
  return {
    mode: narrowest("mode"),
    maxMode: narrowest("maxMode"),
    deny: union("deny"),
    ask: union("ask"),
    allow: union("allow"),
  };
}

async function readSettings(path: string, isNamed: boolean): Promise<unknown> {
  const text = await readFile(path, "utf8").catch((error) => {
    if (!isNamed && errorCodeOf(error) === "ENOENT") return undefined;
    return failUsage(`${path} cannot be read`, error);
  });
  return text === undefined ? undefined : parseJson(text, path);
}

async function write({ to, policy }: ImportedPolicy, { isForced }: { isForced: boolean }): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  try {
    await writeFile(to, `${JSON.stringify(policy, null, 2)}\n`, { flag: isForced ? "w" : "wx" });
  } catch (error) {
    if (errorCodeOf(error) !== "EEXIST") throw error;
    throw new UsageError(`${to} exists; print the new one with --dry-run, or replace it with --force`);
  }
}

/** Carries over the `permissions` of a settings file. Rules that would mean something else here are left out. */
async function convertSettings(
  settings: unknown,
  { names, isOfUser }: { names: RuleNames; isOfUser: boolean },
): Promise<ConvertedSettings> {
  const permissions = asRecord(asRecord(settings).permissions);
  const leftOut: { setting: string; why: string }[] = [];
  const leaveOut = (setting: string, why: string) => leftOut.push({ setting, why });
  const convert = async (list: RuleList) => {
    const given = permissions[list] ?? [];
    if (!Array.isArray(given)) leaveOut(list, "it is not a list");
    const rules: string[] = [];
    for (const written of Array.isArray(given) ? given : []) {
      if (typeof written !== "string") {
        leaveOut(`${list} ${JSON.stringify(written)}`, "it is not a rule");
        continue;
      }
      const rule = convertRule(written, isOfUser);
      const place = { where: "", names, isAllowing: list === "allow" };
      const why = await parseRule(rule, place).then(() => undefined, problemOfRule);
      if (why === undefined) rules.push(rule);
      else leaveOut(`${list} ${written}`, why);
    }
    return rules;
  };
  const { defaultMode, additionalDirectories, disableBypassPermissionsMode } = permissions;
  const mode = typeof defaultMode === "string" ? modeNames.get(defaultMode) : undefined;
  if (defaultMode !== undefined && mode === undefined)
    leaveOut(
      `defaultMode ${JSON.stringify(defaultMode)}`,
      "there is no such mode here; choose one with --mode",
    );
  if (Array.isArray(additionalDirectories) && additionalDirectories.length > 0)
    leaveOut(
      `additionalDirectories ${additionalDirectories.join(", ")}`,
      "give them as workspace.extraRoots in the configuration, which opens the workspace",
    );
  const policy = {
    mode,
    maxMode: disableBypassPermissionsMode === "disable" ? ("edit" as const) : undefined,
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
  // In a settings file, a pattern with one slash begins at the file's folder.
  return isOfUser && /^\s*\/(?!\/)/.test(pattern) && name !== "Bash"
    ? `${name}(~/.claude${pattern.trim()})`
    : `${name}(${pattern})`;
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
