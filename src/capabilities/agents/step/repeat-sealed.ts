import { redactedMark } from "../../../shared/secrets/redact.ts";
import type { AgentRun } from "../agent-run.ts";
import type { TranscriptCall } from "../transcript/transcript.ts";
import { makeCalls } from "./answer-calls.ts";

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
