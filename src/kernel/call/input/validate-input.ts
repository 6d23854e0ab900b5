import type { Validation, ValidationIssue } from "../../../shared/json-schema/json-schema.ts";
import { convertValue } from "../../../shared/json-schema/readings/convert-value.ts";
import { after, type MaybePromise } from "../../../shared/maybe-promise.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { InputHint } from "../../dialects/index.ts";
import { type ResolvedCall, toolOf } from "../call.ts";
import { withinTime } from "../hooks/within-time.ts";

/**
 * Stage 2: translates the input to the tool's own terms and validates it; an error names every problem. Unless the runtime
 * is strict, an input that does not fit is read as it was probably meant, if there is exactly one such reading.
 */
export function validateInput(call: ResolvedCall): MaybePromise<void> {
  const { inputProblem, input } = call.request;
  if (inputProblem !== undefined) throw unreadableInput(call, inputProblem);
  return validateWritten(call, input);
}

/** The same for an input that a hook has put in the place of the caller's. */
export function validateWritten(call: ResolvedCall, input: unknown): MaybePromise<void> {
  const given = input ?? {};
  return after(readInput(call, given), (read): MaybePromise<void> => {
    if (read.ok) call.input = read.value;
    else return acceptConverted(call, given, read);
  });
}

/** Validates an input in the tool's own terms; called again when a hook changes it. */
export function validateCanonical(call: ResolvedCall, input: unknown): unknown {
  return after(validateInTime(call, input), (validation) => {
    if (validation.ok) return validation.value;
    throw invalidInput(call, { issues: validation.issues.map(call.resolved.translateIssue) });
  });
}

type ReadInput = { readonly ok: true; readonly value: unknown } | ({ readonly ok: false } & InputProblems);

interface InputProblems {
  readonly issues: readonly ValidationIssue[];
  readonly hint?: InputHint;
}

function readInput(call: ResolvedCall, input: unknown): MaybePromise<ReadInput> {
  const translation = call.resolved.translateInput(input);
  if (!translation.ok) return translation;
  return after(validateInTime(call, translation.input), (validation) =>
    validation.ok ? validation : { ok: false, issues: validation.issues.map(call.resolved.translateIssue) },
  );
}

function validateInTime(call: ResolvedCall, input: unknown): MaybePromise<Validation> {
  const validation = toolOf(call).validateInput(input);
  return validation instanceof Promise ? withinTime(call, () => validation) : validation;
}

/** What does not fit even then is refused with the problems that are left. */
function acceptConverted(call: ResolvedCall, given: unknown, problems: InputProblems): MaybePromise<void> {
  if (call.host.run.isStrict) throw invalidInput(call, problems);
  const { value, conversions } = convertValue(given, call.resolved.inputSchema);
  if (conversions.length === 0) throw invalidInput(call, problems);
  return after(readInput(call, value), (read) => {
    if (!read.ok) throw invalidInput(call, read);
    call.input = read.value;
    call.noted.conversions = conversions;
  });
}

function unreadableInput({ resolved }: ResolvedCall, problem: string): ToolError {
  return new ToolError("invalid-input", `invalid input for ${resolved.spokenName}: ${problem}`, {
    hint: "Nothing was run.",
  });
}

function invalidInput({ resolved, host }: ResolvedCall, { issues, hint }: InputProblems): ToolError {
  const problems = issues.map((issue) => issue.message).join("; ");
  return new ToolError("invalid-input", `invalid input for ${resolved.spokenName}: ${problems}`, {
    hint: hint?.(host.session.workspace) ?? "Correct the named arguments and call again.",
  });
}
