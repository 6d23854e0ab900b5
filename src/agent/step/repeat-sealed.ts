import type { AgentParts } from "../agent-run.ts";
import type { TokenMeter } from "../context/token-meter.ts";
import { shownImages } from "../models/shown-images.ts";
import { outputOf } from "./tool-output.ts";

/**
 * Makes the calls of the last step again whose process died while they ran, under the same ids and judged anew. Only of
 * tools for which that makes no difference, and only once. The rest stay answered as unknown.
 */
export async function repeatSealed(
  parts: AgentParts,
  { signal, meter }: { readonly signal: AbortSignal; readonly meter: TokenMeter },
): Promise<void> {
  const { host, transcript, model, options, offer } = parts;
  const step = transcript.entries.at(-1);
  if (step?.kind !== "step") return;
  const { nameOf } = offer();
  for (const call of step.calls) {
    const { callId: id, toolName, input } = call.part;
    const name = nameOf(toolName);
    // What the log has masked is not what was called with.
    if (isMasked(input) || !(await host.mayRepeat({ id, name }))) continue;
    const caller = { kind: "agent", name: options.name ?? "agent" } as const;
    const { onApproval, onQuestion } = options;
    const asking = { ...(onApproval && { onApproval }), ...(onQuestion && { onQuestion }) };
    const [result] = await host.callAll(
      [{ id, isNewId: true, name, input, signal, caller, ...asking }],
      meter,
    );
    transcript.answer(call, outputOf(result!, { imageTypes: shownImages(model) }));
  }
}

function isMasked(input: unknown): boolean {
  return JSON.stringify(input)?.includes("[redacted]") ?? false;
}
