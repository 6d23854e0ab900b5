import { capabilities } from "./capabilities.ts";
import { type PolicyPlaces, policyPlaces, type RuleNames } from "./kernel/policy/index.ts";
import { openRuntimeWith, type Runtime, type RuntimeOptions, readRuleNames } from "./kernel/runtime/index.ts";

export type { Runtime } from "./kernel/runtime/index.ts";

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
