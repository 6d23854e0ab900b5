import type {
  InputRequests,
  InputRequiredResult,
  LoggingLevel,
  RequestMeta,
  Server,
  ServerContext,
} from "@modelcontextprotocol/server";
import type { CallResult, LogMessage } from "../../../kernel/call/index.ts";
import type { CallOptions } from "../../../kernel/runtime/index.ts";
import { sha256 } from "../../../shared/crypto.ts";
import { maxDelayMs } from "../../../shared/deadline.ts";
import { isPlainObject } from "../../../shared/json.ts";
import { defined } from "../../../shared/options/defined.ts";
import { countOf } from "../../../shared/text/count-of.ts";
import { describeThrown } from "../../../shared/text/describe-thrown.ts";
import { mapStrings } from "../../../shared/text/map-strings.ts";
import { insideTraceOf } from "../../../shared/tracing/traced.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { McpServerParts } from "../mcp-server-parts.ts";
import type { ParkedCall } from "./call-table.ts";
import { type ClientView, callerOf, clientOf } from "./caller-of.ts";
import { approvalForm, canElicit, questionForm } from "./elicitation-form.ts";
import { type RequestContext, type RunningCall, type Step, startCall } from "./running-call.ts";

/** The call to a tool that a client asks for, by `tools/call` or by another request of the protocol. */
export interface WantedCall {
  readonly name: string;
  readonly input: Record<string, unknown>;
  readonly meta: RequestMeta | undefined;
}

/** The client that asks for a call: its server, and its request. */
export interface CallingClient {
  readonly server: Server;
  readonly context: ServerContext;
}

export type Advance =
  | { readonly kind: "ended"; readonly result: CallResult }
  | { readonly kind: "asks"; readonly questions: InputRequiredResult };

/** Begins a call or goes on with it. Returns its result, or the questions that a person has to answer first. */
export async function advanceCall(
  parts: McpServerParts,
  wanted: WantedCall,
  { server, context }: CallingClient,
): Promise<Advance> {
  const client = clientOf(context, { server, sdk: parts.sdk });
  const parked = context.mcpReq.requestState<ParkedCall>();
  if (parked !== undefined && parked.about !== describeCall(wanted)) throw new Error(otherCall);
  const call = parked?.take() ?? begin(parts, wanted, { client, context });
  if (parked !== undefined) call.answer(context.mcpReq.inputResponses ?? {});

  const progress = createProgressReporter(context);
  const log = createLogReporter(context, wanted.name);
  call.listen({ onLog: log.report, onProgress: progress?.report });
  // The call ends if the client cancels the request or disconnects.
  const signals = [context.mcpReq.signal, context.http?.req?.signal].filter((each) => each !== undefined);
  const unfollow = call.follow(AbortSignal.any(signals));
  const step = client.isStateless ? await call.next() : await untilEnded(parts, call, context);
  call.listen({});
  await Promise.all([progress?.flush(), log.flush()]);
  unfollow();
  if (step.kind === "ended") return step;
  // The request ends here but the call does not; the answers come with another request.
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

// A client's program may answer each question by itself, and always wrongly.
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
  const perform = (requestContext: RequestContext) => {
    const { signal, onProgress, onLog } = requestContext;
    const asking = canElicit(client.capabilities) ? askThrough(client, { requestContext, calls }) : {};
    const options = { signal, onProgress, onLog, caller: callerOf(client, way), ...asking };
    return insideTraceOf(meta, () => session.call(name, input, options));
  };
  const running = startCall(perform, context.mcpReq.inputResponses ?? {});
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

const otherCall =
  "These answers belong to a call of another tool or with other arguments. Make this call again without them.";

/**
 * Asks a call's person while its request waits, as the legacy protocols do. Done here, because the SDK would wait for the
 * answers even after the call has ended, and would not cancel a call whose answers never come.
 */
async function askMeanwhile(
  call: Pick<RunningCall, "result" | "answer" | "cancel">,
  inputRequests: InputRequests,
  { mcpReq }: Pick<ServerContext, "mcpReq">,
): Promise<void> {
  const ended = new AbortController();
  const end = () => ended.abort(new Error("the call has ended"));
  call.result.then(end, end);
  const ask = async ([key, { method, params }]: [string, InputRequests[string]]) => {
    // No timeout here: the call table cancels a call that is not answered.
    const options = { signal: ended.signal, timeout: maxDelayMs };
    return [key, await mcpReq.send({ method, params: { mode: "form", ...params } }, options)] as const;
  };
  try {
    call.answer(Object.fromEntries(await Promise.all(Object.entries(inputRequests).map(ask))));
  } catch (error) {
    call.cancel(new Error(`the client could not ask: ${describeThrown(error)}`, { cause: error }));
  }
}

/** Sends a tool's log messages to a client that wants them, in order; the session's log has them in any case. */
function createLogReporter({ mcpReq }: Pick<ServerContext, "mcpReq">, tool: string) {
  const waiting: LogMessage[] = [];
  let leftOut = 0;
  let sending: Promise<void> | undefined;
  // The SDK drops messages below the client's level. The client may also have disconnected.
  const sendLog = (level: LoggingLevel, data: unknown) => mcpReq.log(level, data, tool).catch(() => {});
  const send = async () => {
    for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) {
      await sendLog(levels[entry.level], toData(entry));
    }
    if (leftOut > 0)
      await sendLog("warning", `${countOf(leftOut, "more message")} left out; see the session's log`);
    leftOut = 0;
    sending = undefined;
  };
  return {
    report(entry: LogMessage): void {
      if (waiting.length < maxWaiting) waiting.push(entry);
      else leftOut++;
      sending ??= send();
    },
    /** Resolves when all messages have been sent, so that the result does not overtake them. */
    flush: async () => sending,
  };
}

// Bounds the memory that a slow client can cost.
const maxWaiting = 1000;

const levels = { debug: "debug", info: "info", warn: "warning", error: "error" } as const;

function toData({ message, data }: LogMessage): unknown {
  return mapStrings(data === undefined ? message : { message, data }, {
    text: (text) => text.toWellFormed(),
  });
}

/** Sends a tool's progress to a client that asked for it, no faster than the client reads; outdated reports are skipped. */
function createProgressReporter({ mcpReq }: Pick<ServerContext, "mcpReq">) {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let last = Number.NEGATIVE_INFINITY;
  let newest: { readonly update: unknown } | undefined;
  let sending: Promise<void> | undefined;
  const send = async () => {
    while (newest !== undefined) {
      const params = { progressToken, ...progressOf(newest.update, last) };
      newest = undefined;
      last = params.progress;
      // The client may have disconnected.
      await mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
    }
    sending = undefined;
  };
  return {
    report(update: unknown): void {
      newest = { update };
      sending ??= send();
    },
    /** Resolves when all reports have been sent, so that the result does not overtake them. */
    flush: async () => sending,
  };
}

/** Progress must grow with every message, also where the tool counts otherwise. */
function progressOf(update: unknown, last: number): { progress: number; total?: number; message?: string } {
  const step = Number.isFinite(last) ? last + 1 : 0;
  if (typeof update === "number") return { progress: update > last ? update : step };
  if (!isPlainObject(update)) return { progress: step, message: toText(update) };
  const { progress, total, message, type, text } = update;
  // A command's output is sent as it is.
  if (type === "output" && typeof text === "string") return { progress: step, message: text };
  if (typeof progress !== "number") return { progress: step, message: toText(message ?? update) };
  return {
    progress: progress > last ? progress : step,
    ...defined({
      total: typeof total === "number" ? total : undefined,
      message: message === undefined ? undefined : toText(message),
    }),
  };
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
