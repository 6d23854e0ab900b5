import type { PermissionClass, PermissionRequest } from "../../tool/permission-request.ts";
import type { Floor } from "./paths/judge-path.ts";
import type { Rule, RuleCommand, RulePath, Rules } from "./rules/rule.ts";
import type { Effects, Verdict } from "./verdict.ts";

export const modes = ["readonly", "ask", "edit", "auto"] as const;
export type Mode = (typeof modes)[number];

/** A request whose path has been looked at: where it really leads, and what the floor says of it. */
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
  /** The command of a script that would do it. */
  readonly command?: RequestingCommand;
}

interface RequestingCommand extends RuleCommand {
  /** Among the script's commands. */
  readonly index: number;
  /** What it would do, as far as that is known. */
  readonly why: string;
}

export interface DecisionInput {
  readonly tool: string;
  readonly requests: readonly JudgedRequest[];
  /** The tool did not say what it touches. */
  readonly opaque: boolean;
  readonly rules: Rules;
  readonly mode: Mode;
  readonly hook?: { readonly decision: "deny" | "ask"; readonly reason: string; readonly decidedBy: string };
}

/** The verdict on a call: the strictest over everything it asks for. */
export function decide(input: DecisionInput): Verdict {
  const strictest = strictestRuling(input.requests, input);
  return {
    ...strictest,
    permissionClass: heaviestClass(input.requests),
    effects: effectsOf(input.requests, input.opaque),
  };
}

/** What decided: the strictest ruling, and among equals the one on what weighs most. */
export function strictestRuling(
  requests: readonly JudgedRequest[],
  by: Pick<DecisionInput, "tool" | "rules" | "mode" | "hook">,
): Ruling {
  const weigh = (ruling: Ruling, { action }: JudgedRequest) =>
    severity[ruling.decision] * classesByWeight.length + classesByWeight.indexOf(action);
  const rulings = requests.map((request) => {
    const ruling = decideOne(request, by);
    return { ruling, weight: weigh(ruling, request) };
  });
  return rulings.reduce((worst, each) => (each.weight > worst.weight ? each : worst)).ruling;
}

/** The decision alone on one request, for where thousands are asked about and nobody reads the reasons. */
export function decisionOn(
  request: JudgedRequest,
  by: Pick<DecisionInput, "tool" | "rules" | "mode">,
): Verdict["decision"] {
  return decideOne(request, by).decision;
}

type Ruling = Pick<Verdict, "decision" | "reason" | "decidedBy">;

const severity: Record<Verdict["decision"], number> = { allow: 0, ask: 1, deny: 2 };

/** The order is the policy: floor, deny rules, a hook's no, ask rules, allow rules, then the mode. */
function decideOne(
  request: JudgedRequest,
  { tool, rules, mode, hook }: Pick<DecisionInput, "tool" | "rules" | "mode" | "hook">,
): Ruling {
  if (request.floor?.decision === "deny") {
    return { decision: "deny", reason: request.floor.reason, decidedBy: "floor" };
  }
  const denying = rules.deny.find((rule) => isTouched(rule, tool, request));
  if (denying !== undefined) return byRule("deny", denying);
  if (hook?.decision === "deny") return hook;
  const unsure = rules.deny.find((rule) => mayBeTouched(rule, tool, request));
  if (unsure !== undefined) return byDoubt(unsure, request, "deny");
  const asking = rules.ask.find((rule) => isTouched(rule, tool, request));
  if (asking !== undefined) return byRule("ask", asking);
  const maybeAsking = rules.ask.find((rule) => mayBeTouched(rule, tool, request));
  if (maybeAsking !== undefined) return byDoubt(maybeAsking, request, "ask");
  if (hook?.decision === "ask") return hook;
  const allowing = rules.allow.find((rule) => isCovered(rule, tool, request));
  if (allowing !== undefined) return byRule("allow", allowing);
  const ruling = byMode(mode, request);
  if (request.floor?.decision === "ask" && ruling.decision === "allow") {
    return { decision: "ask", reason: request.floor.reason, decidedBy: "floor" };
  }
  return ruling;
}

/** A restricting rule binds whichever way a path is written, through links or not. */
function isTouched(rule: Rule, tool: string, { path, command }: JudgedRequest): boolean {
  if (!rule.matchesTool(tool)) return false;
  if (rule.matchesCommand !== undefined) {
    const match = command === undefined ? "none" : rule.matchesCommand(command);
    return match === "exact" || match === "prefix";
  }
  if (rule.matchesPath === undefined) return true;
  return path !== undefined && (rule.matchesPath(path.real) || rule.matchesPath(path.written));
}

/**
 * A rule that restricts a command may speak of one whose words are known only when it runs, and of one that acts and may
 * mean the same.
 */
function mayBeTouched(rule: Rule, tool: string, { action, command }: JudgedRequest): boolean {
  if (command === undefined || rule.matchesCommand?.(command) !== "maybe") return false;
  const isActing = action === "execute" || action === "network";
  return rule.matchesTool(tool) && (isActing || command.argv === undefined);
}

/** An allowing rule counts only where the path really leads, and lifts the floor's question only if it names paths. */
function isCovered(rule: Rule, tool: string, { path, floor, command }: JudgedRequest): boolean {
  if (!rule.matchesTool(tool)) return false;
  if (rule.matchesCommand !== undefined) {
    const match = command?.isPlain ? rule.matchesCommand(command) : "none";
    // Further words were not looked at by whoever wrote the rule.
    return match === "exact" || (match === "prefix" && floor === undefined && !command?.isTricky);
  }
  if (rule.matchesPath === undefined) return floor === undefined;
  return path !== undefined && rule.matchesPath(path.real);
}

function byRule(decision: Verdict["decision"], { source }: Rule): Ruling {
  return { decision, reason: `rule ${source} says ${decision}`, decidedBy: `rule ${decision}: ${source}` };
}

function byDoubt({ source }: Rule, { command }: JudgedRequest, kind: "deny" | "ask"): Ruling {
  const what = kind === "deny" ? "forbids it" : "asks about it";
  const reason = `it cannot be told whether rule ${source} ${what}: ${command?.why}`;
  return { decision: "ask", reason, decidedBy: `rule ${kind}: ${source}` };
}

function byMode(mode: Mode, request: JudgedRequest): Ruling {
  const decision = modeDecision(mode, request);
  const what = actionWords[request.action];
  const why = request.command === undefined ? "" : `${request.command.why}; `;
  const reasons = {
    allow: `${why}mode ${mode} lets it ${what}`,
    ask: `${why}mode ${mode} asks before it may ${what}`,
    deny: `${why}mode ${mode} lets nothing ${what}`,
  };
  return { decision, reason: reasons[decision], decidedBy: `mode ${mode}` };
}

function modeDecision(mode: Mode, { action, path }: JudgedRequest): Verdict["decision"] {
  // A question to the person touches nothing and is its own approval.
  if (action === "read" || action === "interact") return "allow";
  switch (mode) {
    case "readonly":
      return "deny";
    case "ask":
      return "ask";
    case "edit":
      return action === "write" && path?.isInside ? "allow" : "ask";
    case "auto":
      return "allow";
  }
}

const actionWords: Record<PermissionClass, string> = {
  read: "read",
  interact: "ask the person, plan and hand on work",
  network: "use the network",
  write: "write",
  execute: "act beyond reading",
};

const classesByWeight: readonly PermissionClass[] = ["read", "interact", "network", "write", "execute"];

function heaviestClass(requests: readonly PermissionRequest[]): PermissionClass {
  const weights = requests.map(({ action }) => classesByWeight.indexOf(action));
  return classesByWeight[Math.max(...weights)] ?? "execute";
}

export function effectsOf(requests: readonly JudgedRequest[], opaque: boolean): Effects {
  const targets = (action: PermissionClass) =>
    requests.flatMap((request) => (request.action === action ? (targetOf(request) ?? []) : []));
  return {
    reads: targets("read"),
    writes: targets("write"),
    runs: targets("execute"),
    hosts: targets("network"),
    opaque,
  };
}

function targetOf({ path, target }: JudgedRequest): string | undefined {
  return path === undefined ? target : (path.real.relative ?? path.real.absolute);
}
