import type { ReadEffects } from "../../../machine/command-reading/read-command.ts";
import type { PermissionClass, PermissionRequest } from "../../../tool/permission-request.ts";
import type { Doubt } from "../confinement/confinement.ts";
import type { Floor } from "../paths/judge-path.ts";
import { isAbout, type Rule, type RuleCommand, type RulePath, type Rules } from "./rule.ts";

/** A request with its path resolved and judged by the floor. */
export interface JudgedRequest extends PermissionRequest {
  readonly path?: {
    /** After links were followed. */
    readonly real: RulePath;
    /** As it was written. */
    readonly written: RulePath;
    /** Inside the workspace or one of its extra roots. */
    readonly isInside: boolean;
  };
  readonly floor?: Floor | undefined;
  /**
   * The class of the call outside a preview. A preview only reads, but a rule that denies the call also denies its
   * preview.
   */
  readonly previewOf?: PermissionClass;
  /** A rule that the request may violate in ways that its paths do not show. */
  readonly doubt?: Doubt | undefined;
  /** The user's options name this host or program for exactly this use, so only rules decide about it. */
  readonly isConfigured?: boolean;
  /** The script command that makes this request. */
  readonly command?: RequestingCommand;
}

interface RequestingCommand extends RuleCommand, Partial<ReadEffects> {
  /** Index in the script's list of commands. */
  readonly index: number;
  /** The effects of the request, or why they are unknown; a clause for a person to read. */
  readonly why: string;
  /** Files that its words may name, if it does more than read; absolute. */
  readonly files?: readonly string[] | undefined;
}

/** The tool of a call. */
export interface CallingTool {
  readonly tool: string;
  /** The tool is one for running commands, and rules on commands name it. Default: true. */
  readonly runsCommands?: boolean;
}

/** A deny or ask rule applies if it matches the path as written or after following links. */
export function applies(rule: Rule, by: CallingTool, request: JudgedRequest): boolean {
  const { action, target, path, command } = request;
  if (rule.matchesCommand !== undefined) {
    if (!bindsCommandsOf(rule, by) && rule.action !== action) return false;
    const match = command === undefined ? "none" : rule.matchesCommand(command);
    return match === "exact" || match === "prefix";
  }
  if (!isAbout(rule, by.tool, action)) return false;
  if (rule.matchesPath !== undefined) return path !== undefined && matchesEither(rule.matchesPath, path);
  if (rule.matchesHost !== undefined) return target !== undefined && rule.matchesHost(target) === "yes";
  if (rule.matchesKind !== undefined) return isSpawning(request) && rule.matchesKind(target ?? "");
  return true;
}

/**
 * A rule on commands names the tool that runs them. A command that another tool runs on the side has no rules for
 * itself, so it is bound by all of them.
 */
function bindsCommandsOf(rule: Rule, { tool, runsCommands = true }: CallingTool): boolean {
  return !runsCommands || rule.matchesTool(tool);
}

function matchesEither(
  matchesPath: (path: RulePath) => boolean,
  { real, written }: NonNullable<JudgedRequest["path"]>,
): boolean {
  return matchesPath(real) || (written.absolute !== real.absolute && matchesPath(written));
}

/** Only spawning an agent is an action within the session that has a target. */
function isSpawning({ action, target }: JudgedRequest): boolean {
  return action === "interact" && target !== undefined;
}

/**
 * A deny or ask rule may apply to a command whose words are unknown until it runs, to one that could do the same in other
 * words, and to a connection whose host is unknown.
 */
export function mayApply(rule: Rule, by: CallingTool, request: JudgedRequest): boolean {
  const { action, target, command } = request;
  if (rule.matchesHost !== undefined)
    return action === "network" && rule.matchesHost(target ?? "*") === "maybe";
  if (command === undefined || rule.matchesCommand?.(command) !== "maybe") return false;
  const isActing = action === "execute" || action === "network";
  return bindsCommandsOf(rule, by) && (isActing || command.argv === undefined);
}

/** An allow rule must match the real path, and overrides a floor `ask` only if the rule names paths. */
export function allows(rule: Rule, tool: string, request: JudgedRequest): boolean {
  const { action, target, path, floor, command } = request;
  if (!isAbout(rule, tool, action)) return false;
  if (rule.matchesCommand !== undefined) {
    const match = command?.isPlain ? rule.matchesCommand(command) : "none";
    // The author of a prefix rule has not seen the remaining words.
    return match === "exact" || (match === "prefix" && floor === undefined && !command?.isTricky);
  }
  if (rule.matchesPath !== undefined) return path !== undefined && rule.matchesPath(path.real);
  if (floor !== undefined) return false;
  if (rule.matchesHost !== undefined) return target !== undefined && rule.matchesHost(target) === "yes";
  return rule.matchesKind === undefined || (isSpawning(request) && rule.matchesKind(target ?? ""));
}

/**
 * A name may lead to this machine or a private network. The web tools look where it leads, a command does not: unless the
 * user has named this very host, or lets commands do anything, no rule on the network is meant for it.
 */
export function isUnguardedFetch(
  rule: Rule,
  { action, command }: JudgedRequest,
  { tool, rules }: { readonly tool: string; readonly rules: Rules },
): boolean {
  if (action !== "network" || !command?.fetches || rule.matchesCommand !== undefined) return false;
  return !rules.allow.some((other) => allows(other, tool, { action: "execute", command }));
}
