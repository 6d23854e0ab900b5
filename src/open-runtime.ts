import { capabilities } from "./capabilities.ts";
import type { RuleNames } from "./kernel/policy/rules/parse-rules.ts";
import { type PolicyPlaces, policyPlaces } from "./kernel/policy/scopes/policy-places.ts";
import { openRuntimeWith } from "./kernel/runtime/open-runtime-with.ts";
import { readRuleNames } from "./kernel/runtime/read-rule-names.ts";
import type { Runtime } from "./kernel/runtime/runtime.ts";
import type { RuntimeOptions } from "./kernel/runtime/runtime-options.ts";

export type { Runtime } from "./kernel/runtime/runtime.ts";

/** Opens a runtime. Rejects if an option is invalid; then nothing stays open. */
export async function openRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  return openRuntimeAt(policyPlaces(), options);
}

/** Opens a runtime whose policy files are elsewhere. Not part of the public API: no user may choose what binds them. */
export async function openRuntimeAt(
  policyFiles: PolicyPlaces,
  options: RuntimeOptions = {},
): Promise<Runtime> {
  return openRuntimeWith({ capabilities, policyFiles, options });
}

/** The names that rules may use, without opening a runtime: its policy may be the subject. */
export async function openRuleNames(
  options: RuntimeOptions = {},
): Promise<{ names: RuleNames; close(): Promise<void> }> {
  return readRuleNames({ capabilities, options });
}
