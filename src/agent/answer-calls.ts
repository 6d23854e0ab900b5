import type { CallRequest, CallResult } from "../runtime/pipeline/call.ts";
import type { AgentRun } from "./agent-run.ts";
import { shownImages } from "./models/shown-images.ts";
import type { DraftedCall } from "./step-draft.ts";
import { outputOf } from "./tool-output.ts";
import type { StepEntry } from "./transcript.ts";

/** Runs the calls of the last step and puts their answers into the transcript. True where the session's budget is spent. */
export async function answerCalls(run: AgentRun, calls: readonly DraftedCall[]): Promise<boolean> {
  if (calls.length === 0) return false;
  const { host, model, offered, transcript } = run;
  const { nameOf } = offered;
  const results = await host.callAll(calls.map((call) => toRequest(run, call, nameOf)));
  const { calls: open } = transcript.entries.at(-1) as StepEntry;
  const imageTypes = shownImages(model);
  for (const [index, call] of open.entries())
    transcript.answer(call, outputOf(results[index]!, { imageTypes }));
  return results.some(isOutOfBudget);
}

function toRequest(
  { options, signal }: AgentRun,
  { part, name: toolName, input, inputProblem }: DraftedCall,
  nameOf: (toolName: string) => string,
): CallRequest {
  const { name = "agent", toolTimeoutMs, onApproval, onQuestion } = options;
  return {
    id: part.callId,
    isNewId: true,
    name: nameOf(toolName),
    input,
    ...(inputProblem !== undefined && { inputProblem }),
    signal,
    caller: { kind: "agent", name },
    ...(toolTimeoutMs !== undefined && { maxTimeoutMs: toolTimeoutMs }),
    ...(onApproval && { onApproval }),
    ...(onQuestion && { onQuestion }),
  };
}

function isOutOfBudget({ error }: CallResult): boolean {
  return error?.code === "budget-exceeded";
}
