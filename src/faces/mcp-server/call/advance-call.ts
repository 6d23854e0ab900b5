import type { InputRequiredResult, RequestMeta, Server, ServerContext } from "@modelcontextprotocol/server";
import type { CallResult } from "../../../kernel/call/call.ts";
import type { CallOptions } from "../../../session.ts";
import { sha256 } from "../../../shared/sha256.ts";
import { insideTraceOf } from "../../../shared/tracing/traced.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { McpServerParts } from "../mcp-server-parts.ts";
import { askMeanwhile } from "./ask-meanwhile.ts";
import type { ParkedCall } from "./call-table.ts";
import { type ClientView, callerOf, clientOf } from "./caller-of.ts";
import { approvalForm, canElicit, questionForm } from "./elicitation-form.ts";
import { createLogReporter } from "./log-reporter.ts";
import { createProgressReporter } from "./progress-reporter.ts";
import { type RequestContext, type RunningCall, type Step, startCall } from "./running-call.ts";

/** What a client asks for: a call to a tool, whichever request of the protocol means it. */
export interface WantedCall {
  readonly name: string;
  readonly input: Record<string, unknown>;
  readonly meta: RequestMeta | undefined;
}

export type Advance =
  | { readonly kind: "ended"; readonly result: CallResult }
  | { readonly kind: "asks"; readonly questions: InputRequiredResult };

/** Begins a call or goes on with it. Returns its result, or the questions that a person has to answer first. */
export async function advanceCall(
  parts: McpServerParts,
  wanted: WantedCall,
  { server, context }: { server: Server; context: ServerContext },
): Promise<Advance> {
  const client = clientOf(context, { server, sdk: parts.sdk });
  const parked = context.mcpReq.requestState<ParkedCall>();
  if (parked !== undefined && parked.about !== describeCall(wanted)) throw new Error(otherCall);
  const call = parked === undefined ? begin(parts, wanted, { client, context }) : resume(parked, context);

  const progress = createProgressReporter(context);
  const log = createLogReporter(context, wanted.name);
  call.listen({ onLog: log.report, ...(progress && { onProgress: progress.report }) });
  const unfollow = follow(call, context);
  const step = client.isStateless ? await call.next() : await untilEnded(parts, call, context);
  call.listen({});
  await Promise.all([progress?.flush(), log.flush()]);
  if (step.kind === "ended") {
    unfollow();
    return step;
  }
  // The request ends here but the call does not; the answers come with another request.
  unfollow();
  const requestState = parts.calls.park(call, describeCall(wanted));
  const { inputRequests } = step;
  return { kind: "asks", questions: { resultType: "input_required", inputRequests, requestState } };
}

/** For protocols where the request waits until the call has ended, and questions are asked meanwhile. */
async function untilEnded(
  { calls }: McpServerParts,
  call: RunningCall,
  context: ServerContext,
): Promise<Step> {
  for (let round = 0; round < maxRounds; round++) {
    const step = await call.next();
    if (step.kind === "ended") return step;
    // Parked like calls that wait for another request, so that one limit holds for both.
    const ticket = calls.park(call, "");
    await askMeanwhile(call, step.inputRequests, context);
    calls.find(ticket)?.take();
  }
  call.cancel(new Error(`it kept asking after ${maxRounds} rounds of answers`));
  return { kind: "ended", result: await call.result };
}

// A client may answer automatically, and always wrongly.
const maxRounds = 100;

/** Identifies the call, so that an approval of one call is not used for another. */
function describeCall({ name, input }: WantedCall): string {
  return sha256(JSON.stringify([name, input]));
}

function begin(
  { session, calls, way }: McpServerParts,
  { name, input, meta }: WantedCall,
  { client, context }: { client: ClientView; context: ServerContext },
): RunningCall {
  const perform = (requestContext: RequestContext) => insideTraceOf(meta, () => call(requestContext));
  const call = (requestContext: RequestContext) =>
    session.call(name, input, {
      signal: requestContext.signal,
      onProgress: requestContext.onProgress,
      onLog: requestContext.onLog,
      caller: callerOf(client, way),
      ...(canElicit(client.capabilities) && askThrough(client, { requestContext, calls })),
    });
  const running = startCall(perform, { answersAhead: context.mcpReq.inputResponses ?? {} });
  calls.add(running);
  return running;
}

function askThrough(
  { name, protocol }: ClientView,
  { requestContext, calls }: { requestContext: RequestContext; calls: McpServerParts["calls"] },
): Pick<CallOptions, "onApproval" | "onQuestion"> {
  return {
    onApproval(approval, signal) {
      if (calls.isFull) return { decision: "deny", by: "toolwright", note: tooManyWait };
      const form = approvalForm(approval, name);
      if (form === undefined) return { decision: "deny", by: "toolwright", note: tooLong };
      return requestContext.ask(form, signal);
    },
    async onQuestion(question, signal, from) {
      if (calls.isFull) throw new ToolError("nobody-to-ask", tooManyWait, { retryable: true });
      const form = questionForm(question, from, protocol);
      if (form === undefined) throw new ToolError("invalid-input", tooLongToAsk);
      return requestContext.ask(form, signal);
    },
  };
}

const tooLong = "the request is too long to be shown whole; make it in smaller parts";
const tooLongToAsk = "the question is too long to be shown whole; ask it in fewer words";
const tooManyWait = "too many calls are waiting for an answer";

function resume(parked: ParkedCall, { mcpReq }: ServerContext): RunningCall {
  const call = parked.take();
  call.answer(mcpReq.inputResponses ?? {});
  return call;
}

const otherCall =
  "These answers belong to a call of another tool or with other arguments. Make this call again without them.";

/** Cancels the call if the client cancels the request or disconnects. */
function follow(call: RunningCall, { mcpReq, http }: ServerContext): () => void {
  const unfollow = [mcpReq.signal, http?.req?.signal].map((signal) => signal && call.follow(signal));
  return () => {
    for (const stop of unfollow) stop?.();
  };
}
