import type { Validation, ValidationIssue } from "../../shared/json-schema/json-schema.ts";
import type { MaybePromise } from "../../shared/maybe-promise.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { type ResolvedCall, toolOf } from "./call.ts";
import { withinTime } from "./hooks/within-time.ts";

/** Stage 2: translates the input to the tool's own terms and validates it; an error names every problem. */
export function validateInput(call: ResolvedCall): MaybePromise<void> {
  const { inputProblem } = call.request;
  if (inputProblem !== undefined) throw unreadableInput(call, inputProblem);
  const translation = call.resolved.translateInput(call.request.input ?? {});
  if (!translation.ok) throw invalidInput(call, translation.issues, translation.hint);
  const validated = validateCanonical(call, translation.input);
  const keep = (input: unknown) => {
    call.input = input;
  };
  return validated instanceof Promise ? validated.then(keep) : keep(validated);
}

/** Validates an input in the tool's own terms; called again when a hook changes it. */
export function validateCanonical(call: ResolvedCall, input: unknown): unknown {
  const validation = toolOf(call).validateInput(input);
  const accept = (outcome: Validation) => acceptInput(call, outcome);
  if (!(validation instanceof Promise)) return accept(validation);
  return Promise.resolve(withinTime(call, () => validation)).then(accept);
}

function acceptInput(call: ResolvedCall, validation: Validation): unknown {
  if (validation.ok) return validation.value;
  throw invalidInput(call, validation.issues.map(call.resolved.translateIssue));
}

function unreadableInput({ resolved }: ResolvedCall, problem: string): ToolError {
  return new ToolError("invalid-input", `invalid input for ${resolved.spokenName}: ${problem}`, {
    hint: "Nothing was run.",
  });
}

function invalidInput(
  { resolved }: ResolvedCall,
  issues: readonly ValidationIssue[],
  hint?: string,
): ToolError {
  const problems = issues.map((issue) => issue.message).join("; ");
  return new ToolError("invalid-input", `invalid input for ${resolved.spokenName}: ${problems}`, {
    hint: hint ?? "Correct the named arguments and call again.",
  });
}
