import { after, type MaybePromise } from "../../shared/maybe-promise.ts";
import { type SpanEnd, traced } from "../../shared/tracing/traced.ts";
import type { UndoRecord } from "../store/index.ts";
import { authorize } from "./authorize.ts";
import { beginCall, withFreeId } from "./begin-call.ts";
import type { CallRequest, CallResult, ResolvedCall, Slot } from "./call.ts";
import type { CallHost } from "./call-host.ts";
import type { CallOutcome } from "./call-outcome.ts";
import { execute } from "./execute.ts";
import { runAfterHooks, runBeforeHooks } from "./hooks/call-hooks.ts";
import { validateInput } from "./input/validate-input.ts";
import { journalEnd, journalStart } from "./journal.ts";
import { outcomeOfError } from "./outcome.ts";
import { resolveTool } from "./resolve-tool.ts";
import { diffForPeople, shapeOutcome } from "./shape-outcome.ts";
import { afterStages, allowedStages, beforeStages } from "./stages/stages.ts";

/** Every call goes through here, from any caller and to any tool. Never rejects. */
export function runCall(host: CallHost, request: CallRequest, slot?: Slot): Promise<CallResult> {
  return traced(startCallSpan, () => takeAllStages(host, request, slot), endCallSpan);
}

/** The caller's name for the tool is not resolved yet. */
const startCallSpan = () =>
  ({
    name: "execute_tool",
    kind: "internal",
    attributes: { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.type": "function" },
  }) as const;

/** Without input and output, which may hold anything. */
function endCallSpan({ status, error, receipt }: CallResult): SpanEnd {
  const { tool, callId, sessionId, verdict } = receipt;
  return {
    name: `execute_tool ${tool}`,
    attributes: {
      "gen_ai.tool.name": tool,
      "gen_ai.tool.call.id": callId,
      "gen_ai.conversation.id": sessionId,
      "toolwright.status": status,
      "toolwright.decided_by": verdict?.decidedBy,
    },
    error: error && { type: error.code, message: error.message },
  };
}

async function takeAllStages(host: CallHost, request: CallRequest, slot?: Slot): Promise<CallResult> {
  const isFree = request.id === undefined || request.isNewId;
  // Before anything waits: calls that are made at once may take turns from then on.
  const begunAt = host.stages.loops.moment;
  const call = beginCall(host, isFree ? request : await withFreeId(host, request), slot);
  call.begunAt = begunAt;
  let outcome: MaybePromise<CallOutcome>;
  try {
    // Also where there is nothing to wait for: the caller gets its promise before the tool begins.
    await host.run.yieldToEventLoop(call.deadline.startedClockMs);
    const resolved = resolveTool(call);
    for (const stage of stagesBefore) {
      const waiting = stage(resolved);
      if (waiting !== undefined) await waiting;
    }
    const ran = await execute(resolved);
    const { wallTimeMs = 0 } = resolved.work;
    host.budget.chargeResult({ wallTimeMs, outputBytes: Buffer.byteLength(ran.text) });
    const keeping = keepForUndo(resolved);
    if (keeping !== undefined) await keeping;
    outcome = after(shapeOutcome(resolved, ran), (shaped) => runAfterHooks(resolved, shaped));
    if (outcome instanceof Promise) outcome = await outcome;
  } catch (error) {
    outcome = outcomeOfError(call, error);
  }
  const told = afterStages(call, outcome);
  return await journalEnd(call, told instanceof Promise ? await told : told);
}

/** The stages between finding the tool and running it. Most of them wait for nothing, and even then an `await` takes time. */
const stagesBefore: readonly ((call: ResolvedCall) => MaybePromise<unknown>)[] = [
  validateInput,
  (call) => runBeforeHooks(call),
  beforeStages,
  authorize,
  allowedStages,
  ({ host, resolved }) => host.budget.chargeCall(resolved.entry.name),
  journalStart,
];

/**
 * Keeps the call's file changes with a diff for people, even if it failed, and for a tool with its own `undo` its input and
 * output.
 */
function keepForUndo(call: ResolvedCall): MaybePromise<void> {
  const { changes = [], own } = call.work;
  const undoesItself = own?.output !== undefined;
  if (call.request.isDryRun || (changes.length === 0 && !undoesItself)) return;
  return keep(call, { changes, ...(undoesItself && { own }) });
}

async function keep(
  { resolved, host, noted }: ResolvedCall,
  done: Pick<UndoRecord, "changes" | "own">,
): Promise<void> {
  const { undo } = host.kept;
  const diff = done.changes.length === 0 ? undefined : await undo.diff(done.changes).catch(() => undefined);
  const shown = diff === undefined ? {} : { diff: diffForPeople(host.redactor, diff) };
  const name = await undo.keep({ tool: resolved.entry.name, ...done, ...shown });
  if (name !== undefined) noted.undo = name;
}
