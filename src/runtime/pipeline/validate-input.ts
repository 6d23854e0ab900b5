import type { Validation, ValidationIssue } from "../../shared/json-schema/json-schema.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { type ResolvedCall, toolOf } from "./call.ts";

/** Stage 2: from the caller's form to the tool's own, complete and in range, or a refusal that names every problem. */
export async function validateInput(call: ResolvedCall): Promise<void> {
  const translation = call.resolved.translateInput(call.request.input ?? {});
  if (!translation.ok) throw invalidInput(call, translation.issues);
  call.input = await validateCanonical(call, translation.input);
}

/** Checks an input in the tool's own terms; hooks that change the input come here again. */
export async function validateCanonical(call: ResolvedCall, input: unknown): Promise<unknown> {
  const outcome = toolOf(call).validateInput(input);
  const validation: Validation = outcome instanceof Promise ? await call.deadline.race(outcome) : outcome;
  if (validation.ok) return validation.value;
  throw invalidInput(call, validation.issues.map(call.resolved.translateIssue));
}

function invalidInput({ resolved }: ResolvedCall, issues: readonly ValidationIssue[]): ToolError {
  const problems = issues.map((issue) => issue.message).join("; ");
  return new ToolError("invalid-input", `invalid input for ${resolved.spokenName}: ${problems}`, {
    hint: "Correct the named arguments and call again.",
  });
}
