import { adviseOnRules } from "../rules/rule-advice.ts";
import type { PolicyProblem, ScopedPolicy } from "./scoped-policy.ts";

/** Problems of a policy: files that cannot be used, and rules whose effect differs from their wording. */
export function problemsOfPolicy(
  { rules, notes, broken }: ScopedPolicy,
  parts: { tools: readonly string[]; root: string },
): readonly PolicyProblem[] {
  const advice = adviseOnRules(rules, parts).map(({ decision, rule: { origin, source }, message }) => ({
    source: origin === undefined ? `permissions.${decision}` : `${origin.file}:${origin.line}`,
    subject: source,
    message,
  }));
  return [
    ...(broken === undefined ? [] : [{ source: "policy", subject: "policy file", message: broken, about }]),
    ...[...notes, ...advice].map((note) => ({ ...note, severity, about })),
  ];
}

const about = "rule" as const;
const severity = "warning" as const;
