export { type Bounds, boxOf, mayWidenTo } from "./bounds.ts";
export { CallGate } from "./call-gate.ts";
export { type DecisionInput, type Mode, modes, narrowerMode } from "./decide.ts";
export { describeEffects, purposeOf } from "./describe-effects.ts";
export { type Gate, unguardedGate, type Visibility } from "./gate.ts";
export { createSecretHostTest, type SecretTarget } from "./hosts/host-matcher.ts";
export { classWithoutDeclaration, whyNeverAllowed } from "./never-allowed.ts";
export { type Floor, findSensitiveName, isSensitiveName, isSensitivePath } from "./paths/judge-path.ts";
export { homeNames, protectedNames, sensitiveNames } from "./paths/protected-names.ts";
export { committedFiles } from "./paths/public-files.ts";
export { openPaths, type WorkspaceOptions, type WorkspacePaths } from "./paths/workspace-paths.ts";
export { openPolicy, type Policy, type PolicyParts, type PolicySource } from "./policy.ts";
export { loopGuard, refusal } from "./refusal.ts";
export type { ListTree } from "./restricted-names.ts";
export { createGrants, type Grants, noGrants } from "./rules/grants.ts";
export type { JudgedRequest } from "./rules/match-request.ts";
export {
  parseRule,
  type RuleNames,
  type RuleSubject,
  type RuleTexts,
  toolMatcher,
} from "./rules/parse-rules.ts";
export { type Rule, RuleError, type RuleList, type RuleLists, type Rules } from "./rules/rule.ts";
export { adviseOnRules } from "./rules/rule-advice.ts";
export { suggestRules } from "./rules/suggest-rules.ts";
export { revokeTrust, trustProject } from "./scopes/change-trust.ts";
export {
  keepOwnRules,
  type PolicyExample,
  type PolicyFile,
  PolicyFileError,
  type PolicyRule,
  readPolicyFile,
} from "./scopes/policy-file.ts";
export {
  ownProjectFile,
  type PolicyPlaces,
  policyFolder,
  policyPlaces,
  projectPolicyFile,
  userConfigFile,
} from "./scopes/policy-places.ts";
export { movePolicy, openPolicyScopes } from "./scopes/policy-scopes.ts";
export { isTrusted, readTrust } from "./scopes/read-trust.ts";
export { checkMode, createSessionMode, type SessionMode } from "./session-mode.ts";
export { type TaintSource, untrustedSources } from "./taint.ts";
export { actingCommands, type CommandVerdict, type Effects, noEffects, type Verdict } from "./verdict.ts";
