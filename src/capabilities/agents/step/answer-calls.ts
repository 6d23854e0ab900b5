import { isAbsolute } from "node:path";
import type { CallRequest, CallResult } from "../../../kernel/call/index.ts";
import { defined } from "../../../shared/options/defined.ts";
import { redactedMark } from "../../../shared/secrets/redact.ts";
import type { AgentRun } from "../agent-run.ts";
import { maxOutputCharacters } from "../context/trim-context.ts";
import { shownImages } from "../models/model-abilities.ts";
import type { StepEntry, TranscriptCall } from "../transcript/transcript.ts";
import type { DraftedCall } from "./read-call.ts";
import { keepImages, outputOf } from "./tool-output.ts";

/** Runs the calls of the last step and adds their answers to the transcript. True if the session's budget is spent. */
export async function answerCalls(run: AgentRun, calls: readonly DraftedCall[]): Promise<boolean> {
  if (calls.length === 0) return false;
  const { calls: open } = run.transcript.entries.at(-1) as StepEntry;
  return makeCalls(run, calls, open);
}

/**
 * Makes the calls of the last step again whose process died while they ran, under the same ids and judged anew. Only of
 * tools for which that makes no difference, and only once. The rest stay answered as unknown. True if the session's budget
 * is spent.
 */
export async function repeatSealed(run: AgentRun): Promise<boolean> {
  const { host, transcript, offered } = run;
  const step = transcript.entries.at(-1);
  if (step?.kind !== "step") return false;
  const sealed: TranscriptCall[] = [];
  for (const call of step.calls) {
    const { callId: id, toolName, input } = call.part;
    // A masked input in the log differs from the real one, so such a call cannot be repeated.
    if (!isMasked(input) && (await host.tools.mayRepeat({ id, name: offered.nameOf(toolName) })))
      sealed.push(call);
  }
  if (sealed.length === 0) return false;
  const again = sealed.map(({ part }) => ({ part, name: part.toolName, input: part.input }));
  return makeCalls(run, again, sealed);
}

function isMasked(input: unknown): boolean {
  return JSON.stringify(input)?.includes(redactedMark) ?? false;
}

/** Makes calls, each of which answers one of the transcript. True if the session's budget is spent. */
async function makeCalls(
  run: AgentRun,
  calls: readonly DraftedCall[],
  open: readonly TranscriptCall[],
): Promise<boolean> {
  const { host, model, transcript, meter } = run;
  const limit = maxOutputCharacters(run, calls.length);
  const results = await host.tools.callAll(
    calls.map((call) => ({ ...toRequest(run, call), maxOutputCharacters: limit })),
    meter,
  );
  const imageTypes = shownImages(model);
  for (const [index, call] of open.entries())
    transcript.answer(call, outputOf(results[index]!, { imageTypes }));
  if (open.some(({ output }) => output.type === "content")) await recordImages(run, open);
  run.touched = touchedBy(results);
  return results.some(({ error }) => error?.code === "budget-exceeded");
}

/** The files that the calls have read or changed, relative to the workspace. */
function touchedBy(results: readonly CallResult[]): string[] {
  const done = results.filter(({ status }) => status === "done");
  const paths = done.flatMap(({ receipt: { effects } }) => [...effects.reads, ...effects.writes]);
  return [...new Set(paths)].filter((path) => !isAbsolute(path));
}

/** Results are logged as text only, so images are logged here to be shown again after a restart. */
async function recordImages({ host, runId }: AgentRun, calls: readonly TranscriptCall[]): Promise<void> {
  for (const { part, output } of calls) {
    const content = await keepImages(output, host.contents);
    if (content === undefined) continue;
    await host.log.append([{ type: "images-show", runId, callId: part.callId, content }]);
  }
}

function toRequest(
  { options, signal, offered }: AgentRun,
  { part, name: toolName, input, inputProblem }: DraftedCall,
): CallRequest {
  const { name = "agent", toolTimeoutMs, onApproval, onQuestion } = options;
  return {
    id: part.callId,
    isNewId: true,
    name: offered.nameOf(toolName),
    input,
    signal,
    caller: { kind: "agent", name },
    ...defined({ inputProblem, maxTimeoutMs: toolTimeoutMs, onApproval, onQuestion }),
  };
}
