import type { PermissionClass, PermissionRequest } from "../../tool/permission-request.ts";
import {
  allows,
  applies,
  type CallingTool,
  isUnguardedFetch,
  type JudgedRequest,
  mayApply,
} from "./rules/match-request.ts";
import type { Rule, RuleScope, Rules } from "./rules/rule.ts";
import { applyTaint, type Taint } from "./taint.ts";
import type { Effects, Verdict } from "./verdict.ts";

export const modes = ["readonly", "ask", "edit", "auto"] as const;
export type Mode = (typeof modes)[number];

/** The mode that lets less run without asking. */
export function narrowerMode(one: Mode, other: Mode): Mode {
  return modes.indexOf(one) < modes.indexOf(other) ? one : other;
}

export interface DecisionInput extends CallingTool {
  readonly requests: readonly JudgedRequest[];
  /** The tool did not declare everything it may touch. */
  readonly opaque: boolean;
  readonly rules: Rules;
  readonly mode: Mode;
  /** A policy file that cannot be used; until it can, nothing is allowed without asking. */
  readonly broken?: string | undefined;
  readonly hook?:
    | { readonly decision: "deny" | "ask"; readonly reason: string; readonly decidedBy: string }
    | undefined;
  /** Present once untrusted content has entered the session. */
  readonly taint?: Taint | undefined;
}

/** The verdict on a call: the strictest ruling on any of its requests. */
export function decide(input: DecisionInput): Verdict {
  const strictest = strictestRuling(input.requests, input);
  return {
    ...strictest,
    permissionClass: heaviestClass(input.requests),
    effects: effectsOf(input.requests, input.opaque),
  };
}

/** The strictest ruling; among equally strict ones, the ruling on the heaviest action. */
export function strictestRuling(requests: readonly JudgedRequest[], by: Judges): Ruling {
  // Fast path: most calls have one.
  if (requests.length === 1) return decideOne(requests[0]!, by);
  const weigh = (ruling: Ruling, { action }: JudgedRequest) =>
    severity[ruling.decision] * classesByWeight.length + classesByWeight.indexOf(action);
  const rulings = requests.map((request) => {
    const ruling = decideOne(request, by);
    return { ruling, weight: weigh(ruling, request) };
  });
  return rulings.reduce((worst, each) => (each.weight > worst.weight ? each : worst)).ruling;
}

/** Only the decision on one request, for callers that judge thousands of paths and show no reasons. */
export function decisionOn(request: JudgedRequest, by: Omit<Judges, "hook">): Verdict["decision"] {
  return decideOne(request, by).decision;
}

type Ruling = Pick<Verdict, "decision" | "reason" | "decidedBy" | "rule">;

const severity: Record<Verdict["decision"], number> = { allow: 0, ask: 1, deny: 2 };

type Judges = Pick<DecisionInput, "tool" | "runsCommands" | "rules" | "mode" | "hook" | "broken" | "taint">;

/** The order is the policy: floor, deny rules, a hook's no, ask rules, allow rules, then the mode, and taint on top of it. */
function decideOne(given: JudgedRequest, judges: Judges): Ruling {
  const request = given.sends ? withSendingFloor(given) : given;
  const { near } = judges.rules;
  const by = near === undefined ? judges : { ...judges, rules: near(request) };
  const ruling = findDenial(request, by) ?? strictestOf(findQuestion(request, by), allowedOrNot(request, by));
  if (ruling.decision !== "allow" || by.broken === undefined) return ruling;
  return {
    decision: "ask",
    reason: `a policy file cannot be used, so everything needs approval until it is fixed: ${by.broken}`,
    decidedBy: "policy file",
  };
}

function findDenial(request: JudgedRequest, by: Judges): Ruling | undefined {
  const { rules, hook } = by;
  if (request.floor?.decision === "deny") {
    return { decision: "deny", reason: request.floor.reason, decidedBy: "floor" };
  }
  const { previewOf } = request;
  const meant = previewOf === undefined ? undefined : { ...request, action: previewOf };
  const denying = rules.deny.find(
    (rule) => applies(rule, by, request) || (meant !== undefined && applies(rule, by, meant)),
  );
  if (denying !== undefined) return byRule("deny", denying);
  return hook?.decision === "deny" ? hook : undefined;
}

/** The rule or hook that wants a person to be asked, if there is one. */
function findQuestion(request: JudgedRequest, by: Judges): Ruling | undefined {
  const { rules, hook } = by;
  const unsure = rules.deny.find((rule) => mayApply(rule, by, request));
  if (unsure !== undefined) return byDoubt(unsure, request, "deny");
  if (request.doubt?.decision === "deny") return byDoubt(request.doubt.rule, request, "deny");
  const asking = rules.ask.find((rule) => applies(rule, by, request));
  if (asking !== undefined) return byRule("ask", asking);
  const maybeAsking = rules.ask.find((rule) => mayApply(rule, by, request));
  if (maybeAsking !== undefined) return byDoubt(maybeAsking, request, "ask");
  if (request.doubt !== undefined) return byDoubt(request.doubt.rule, request, "ask");
  return hook?.decision === "ask" ? hook : undefined;
}

/** A question is asked in place of letting something run, never in place of denying it. */
function strictestOf(question: Ruling | undefined, other: Ruling): Ruling {
  return question === undefined || other.decision === "deny" ? other : question;
}

function allowedOrNot(request: JudgedRequest, { tool, rules, mode, taint }: Judges): Ruling {
  const allowing = rules.allow.find(
    (rule) =>
      allows(rule, tool, request) && (rule.isOneHost || !isUnguardedFetch(rule, request, { tool, rules })),
  );
  if (allowing !== undefined) return byRule("allow", allowing);
  const ruling = byFloorAndMode(mode, request);
  return taint === undefined || request.isConfigured ? ruling : applyTaint(ruling, request, taint);
}

function byFloorAndMode(mode: Mode, request: JudgedRequest): Ruling {
  const ruling = byMode(mode, request);
  if (request.floor?.decision === "ask" && ruling.decision === "allow") {
    return { decision: "ask", reason: request.floor.reason, decidedBy: "floor" };
  }
  return ruling;
}

/** Only a person can say whether something may be changed elsewhere. */
function withSendingFloor(request: JudgedRequest): JudgedRequest {
  if (request.action !== "network" || request.floor !== undefined) return request;
  const reason = `it may change something at ${request.target ?? "a host that is not known"}`;
  return { ...request, floor: { decision: "ask", reason } };
}

function byRule(decision: Verdict["decision"], rule: Rule): Ruling {
  return {
    decision,
    reason: `${nameOf(rule)} ${ruleVerbs[decision]}`,
    ...decidedByRule(decision, rule),
  };
}

function decidedByRule(
  kind: Verdict["decision"],
  { source, origin }: Rule,
): Pick<Verdict, "decidedBy" | "rule"> {
  const decidedBy = `rule ${kind}: ${source}`;
  return origin === undefined ? { decidedBy } : { decidedBy, rule: { source, ...origin } };
}

function nameOf({ source, origin }: Rule): string {
  return `rule ${source}${origin === undefined ? "" : scopeNames[origin.scope]}`;
}

const scopeNames: Record<RuleScope, string> = {
  managed: " of the managed policy",
  user: " of the user's policy",
  project: " of the project's policy",
  session: "",
};

const ruleVerbs: Record<Verdict["decision"], string> = {
  allow: "allows it",
  ask: "requires approval",
  deny: "denies it",
};

function byDoubt(rule: Rule, { command, doubt }: JudgedRequest, kind: "deny" | "ask"): Ruling {
  const known = command?.why ?? "the host it connects to is not known";
  const why = doubt?.rule.source === rule.source ? `${known}, and ${doubt.why}` : known;
  const reason = `the ${kind} ${nameOf(rule)} may apply: ${why}`;
  return { decision: "ask", reason, ...decidedByRule(kind, rule) };
}

function byMode(mode: Mode, request: JudgedRequest): Ruling {
  const decision = modeDecision(mode, request);
  const { action, command } = request;
  const isExecute = action === "execute";
  const why = command?.why ?? (isExecute ? "it may do more than read" : undefined);
  const what = isExecute ? "it" : actionNouns[action];
  const rulings = {
    allow: `mode ${mode} allows ${what}`,
    ask: `mode ${mode} requires approval${isExecute ? "" : ` for ${what}`}`,
    deny: `mode ${mode} does not allow ${what}`,
  };
  const reason = why === undefined ? rulings[decision] : `${why}; ${rulings[decision]}`;
  return { decision, reason, decidedBy: `mode ${mode}` };
}

function modeDecision(mode: Mode, { action, path, isConfigured }: JudgedRequest): Verdict["decision"] {
  if (isConfigured) return "allow";
  // A question to a person changes nothing, and answering it is the approval.
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

const actionNouns: Record<Exclude<PermissionClass, "execute">, string> = {
  read: "reading",
  interact: "actions within the session",
  network: "network access",
  write: "writing",
};

const classesByWeight: readonly PermissionClass[] = ["read", "interact", "network", "write", "execute"];

function heaviestClass(requests: readonly PermissionRequest[]): PermissionClass {
  const weights = requests.map(({ action }) => classesByWeight.indexOf(action));
  return classesByWeight[Math.max(...weights)] ?? "execute";
}

export function effectsOf(requests: readonly JudgedRequest[], opaque: boolean): Effects {
  const lists = {
    read: [] as string[],
    write: [] as string[],
    execute: [] as string[],
    network: [] as string[],
  };
  for (const request of requests) {
    const target = targetOf(request);
    if (target !== undefined && request.action !== "interact") lists[request.action].push(target);
  }
  return { reads: lists.read, writes: lists.write, runs: lists.execute, hosts: lists.network, opaque };
}

function targetOf({ path, target }: JudgedRequest): string | undefined {
  return path === undefined ? target : (path.real.relative ?? path.real.absolute);
}
