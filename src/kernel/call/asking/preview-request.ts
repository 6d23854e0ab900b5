import { cutMiddle } from "../../../shared/text/cut-middle.ts";
import { CallGate } from "../../policy/call-gate.ts";
import type { Verdict } from "../../policy/verdict.ts";
import { createBudget } from "../../session/budget.ts";
import type { SessionLog } from "../../session/session-log.ts";
import type { Call, ResolvedCall } from "../call.ts";
import { CallDeadline } from "../call-deadline.ts";
import type { CallHost } from "../call-host.ts";
import { copyInput } from "../copy-input.ts";
import { execute } from "../execute.ts";
import { judgeCall } from "../judge-call.ts";

/**
 * A diff of what a call that needs approval would change, with secrets masked; undefined unless it would only write
 * files, and unless these may be read without asking. It is not a separate call: it costs no budget and leaves no
 * record.
 */
export async function previewRequest(call: ResolvedCall, verdict: Verdict): Promise<string | undefined> {
  const { writes, runs, hosts, opaque } = verdict.effects;
  if (call.request.isDryRun || writes.length === 0 || runs.length + hosts.length > 0 || opaque)
    return undefined;
  const deadline = new CallDeadline(call.deadline.signal);
  try {
    const preview = previewOf(call, deadline);
    const { decision } = await judgeCall(preview, {});
    if (decision !== "allow") return undefined;
    preview.gate.open({ isApproved: false });
    const { status, text } = await execute(preview, {});
    return status === "done" ? cutMiddle(call.host.redactor.text(text), cut).text : undefined;
  } catch {
    // The person who decides still sees the whole input.
    return undefined;
  } finally {
    deadline.close();
  }
}

const cut = { maxCharacters: 20_000, headShare: 0.8 };
/** A person should not wait long for the question itself. */
const maxPreviewMs = 5_000;

function previewOf({ id, request, host, caller, resolved, input }: ResolvedCall, deadline: CallDeadline) {
  const { name, input: given } = request;
  const preview: Call & Pick<ResolvedCall, "resolved"> = {
    id,
    caller,
    deadline,
    resolved,
    request: { name, input: given, isDryRun: true, timeoutMs: maxPreviewMs },
    host: unrecorded(host),
    input: copyInput(input),
    slot: undefined,
    noted: {},
    work: {},
  };
  return Object.assign(preview, { gate: new CallGate(host.policy, preview) });
}

function unrecorded(host: CallHost): CallHost {
  const log: SessionLog = { ...host.log, note: () => {}, append: () => {}, noteVariable: () => {} };
  return { ...host, budget: createBudget(), log };
}
