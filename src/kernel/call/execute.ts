import { setTimeout as wait } from "node:timers/promises";
import { DeadlineReached } from "../../shared/deadline.ts";
import { compileSchema } from "../../shared/json-schema/compile-schema.ts";
import type { Validation } from "../../shared/json-schema/json-schema.ts";
import { isThenable, type MaybePromise } from "../../shared/maybe-promise.ts";
import { describeStray } from "../../shared/stray-rejections.ts";
import type { AnyTool } from "../../tool/define-tool.ts";
import { type HandlerName, readIsolated } from "../../tool/read-isolated.ts";
import type { ToolContext } from "../../tool/tool-context.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { reportedFailure, type ToolReturn } from "../../tool/tool-result.ts";
import { calledTool, type ResolvedCall, toolOf } from "./call.ts";
import { CallContext, wordingOf } from "./call-context.ts";
import type { CallHost } from "./call-host.ts";
import type { CallOutcome } from "./call-outcome.ts";
import { copyForRecord } from "./copy-input.ts";
import { outcomeOfError } from "./outcome.ts";
import { inputForTool } from "./secrets/use-secrets.ts";
import { maskedResult, withText } from "./shape-outcome.ts";

/** Stage 7: runs the tool, or takes the answer that a hook gave instead. A failing tool is an outcome too. */
export async function execute(call: ResolvedCall): Promise<CallOutcome> {
  try {
    const { instead } = call.answers;
    if (instead !== undefined) return toOutcome(call, refuseFailure(instead.value), { from: "hook" });
    if (call.request.isDryRun) return toOutcome(call, await previewTool(call), { from: "preview" });
    const { work } = call;
    if (toolOf(call).undo !== undefined) work.own = { input: copyForRecord(call.input), output: undefined };
    const output = await withContext(call, async (context) => {
      const value = await settleInTime(call, runTool(call, "run", context));
      // A tool whose schema has such a field means something else by it.
      return validateOutput(call, declaresIsError(toolOf(call)) ? value : refuseFailure(value));
    });
    if (work.own !== undefined) work.own.output = output;
    return toOutcome(call, output, { from: "tool" });
  } catch (error) {
    return outcomeOfError(call, error);
  }
}

function refuseFailure(value: ToolReturn): ToolReturn {
  const failure = reportedFailure(value);
  if (failure !== undefined) throw failure;
  return value;
}

function declaresIsError({ outputSchema }: AnyTool): boolean {
  return outputSchema?.properties !== undefined && Object.hasOwn(outputSchema.properties, "isError");
}

/** The tool's own dry run, or a diff of the files that it would have changed. */
function previewTool(call: ResolvedCall): Promise<ToolReturn> {
  const { dryRun, traits } = toolOf(call);
  return withContext(call, async (context) => {
    if (dryRun !== undefined) return settleInTime(call, runTool(call, "dryRun", context));
    if (traits.readOnly) return "It changes nothing.";
    if (!traits.changesFilesOnly) throw cannotPreview(call);
    await settleInTime(call, runTool(call, "run", context));
    const diff = await call.deadline.race(context.files.preview!());
    return diff === "" ? "It would change nothing." : diff;
  });
}

function cannotPreview({ resolved }: ResolvedCall): ToolError {
  return new ToolError("unsupported", `${resolved.spokenName} does not support dry runs`, {
    hint: "Explain the call instead to see what it may do, or make the call.",
  });
}

/** The deadline's clock runs, and the context is open, only while the tool works. */
async function withContext(
  call: ResolvedCall,
  work: (context: CallContext) => Promise<ToolReturn>,
): Promise<ToolReturn> {
  const { deadline } = call;
  if (deadline.reason !== undefined) throw deadline.reason;
  const context = new CallContext(call);
  const beforeMs = deadline.workedMs;
  deadline.start(timeoutOf(call));
  try {
    return await work(context);
  } catch (error) {
    if (error === deadline.reason) noteStop(call);
    throw error;
  } finally {
    context.close();
    const { underway, delegation } = call.work;
    if (underway !== undefined && underway.size > 0) await settleChanges(underway);
    call.work.wallTimeMs = deadline.workedMs - beforeMs - (delegation?.waitedMs ?? 0);
  }
}

/** After a crash, the log must tell that this call was told to stop, although its end is not recorded yet. */
function noteStop(call: ResolvedCall): void {
  if (call.start === "told to stop") return;
  call.start = "told to stop";
  const code = call.deadline.reason instanceof DeadlineReached ? "timed-out" : "cancelled";
  call.host.log.note({ type: "call-stop", ...calledTool(call), code });
}

/** Runs the tool so that work which it starts without waiting for it cannot end the process by failing. */
function runTool(call: ResolvedCall, handler: "run" | "dryRun", context: CallContext): unknown {
  const { host, resolved } = call;
  let strays = 0;
  return host.run.strays.run(
    (reason) => {
      strays += 1;
      // A timer that always throws would fill the log.
      if (strays <= maxNotedStrays) noteStray(call, reason);
    },
    () => runHandler(host, resolved.entry.tool, { handler, given: inputForTool(call), context }),
  );
}

interface HandlerCall {
  readonly handler: HandlerName;
  /** The handler's first argument, beside its context. */
  readonly given: unknown;
  readonly context: ToolContext;
}

/** Calls a function of a tool, here or, if the tool asks for that, in a separate process. */
export function runHandler(
  { run: { isolated } }: Pick<CallHost, "run">,
  tool: AnyTool,
  { handler, given, context }: HandlerCall,
): unknown {
  const { traits } = tool;
  if (traits.isolated === undefined || isolated === undefined) return tool[handler]!(given as never, context);
  const place = readIsolated(tool.name, traits.isolated);
  const work = isolated.run({ place, handler, given, windUpMs: traits.windUpMs }, context);
  // The receipt is written once the process is gone, and can change nothing any more.
  CallContext.trackIn(context, work);
  return work;
}

function noteStray(call: ResolvedCall, reason: unknown): void {
  const { log, redactor } = call.host;
  const message = describeStray(call.resolved.spokenName, reason);
  log.note({ type: "log", ...calledTool(call), level: "warn", message: redactor.text(message) });
}

const maxNotedStrays = 10;

/** A file change still under way when the tool has ended is over soon: it was aborted, or it completes. */
async function settleChanges(underway: ReadonlySet<Promise<unknown>>): Promise<void> {
  await Promise.race([Promise.allSettled(underway), wait(maxSettleMs, undefined, { ref: false })]);
}

const maxSettleMs = 1000;

/** Ends on time even if the tool ignores its signal. */
function settleInTime(call: ResolvedCall, returned: unknown): MaybePromise<unknown> {
  if (!isThenable(returned)) return returned;
  const work = Promise.resolve(returned);
  const { windUpMs } = toolOf(call).traits;
  return windUpMs === undefined ? call.deadline.race(work) : raceWithWindUp(call, work, windUpMs);
}

/** A tool that must end processes first gets `windUpMs` for that, and may still return or throw in that time. */
async function raceWithWindUp(
  call: ResolvedCall,
  work: Promise<unknown>,
  windUpMs: number,
): Promise<unknown> {
  const { deadline } = call;
  try {
    return await deadline.race(work);
  } catch (error) {
    if (error !== deadline.reason) throw error;
    noteStop(call);
    const tooLate = new AbortController();
    const giveUp = wait(windUpMs, undefined, tooLate).then(() => Promise.reject(error));
    return await Promise.race([work, giveUp]).finally(() => tooLate.abort());
  }
}

function timeoutOf(call: ResolvedCall): number {
  const { timeoutMs } = toolOf(call).traits;
  const own = call.request.timeoutMs ?? 0;
  if (own > 0) return own;
  const declared = typeof timeoutMs === "function" ? timeoutMs(call.input) : timeoutMs;
  const { maxTimeoutMs } = call.request;
  if (maxTimeoutMs === undefined) return declared ?? call.host.run.defaultTimeoutMs;
  return Math.min(declared ?? maxTimeoutMs, maxTimeoutMs);
}

function validateOutput(call: ResolvedCall, value: ToolReturn): MaybePromise<ToolReturn> {
  const validation = toolOf(call).validateOutput?.(value);
  if (validation === undefined) return value;
  const accept = (outcome: Validation) => acceptOutput(call, outcome);
  return validation instanceof Promise ? call.deadline.race(validation).then(accept) : accept(validation);
}

function acceptOutput(call: ResolvedCall, validation: Validation): ToolReturn {
  if (validation.ok) return validation.value;
  const problems = validation.issues.map((issue) => issue.message).join("; ");
  const message = `${call.resolved.spokenName} returned output that does not match its schema: ${problems}`;
  throw new ToolError("invalid-output", message, { hint: "This is a bug in the tool, not in the call." });
}

/** Turns what a tool, a preview, or a hook in the tool's place returned into an outcome. */
function toOutcome(
  call: ResolvedCall,
  value: ToolReturn,
  { from }: { from: "tool" | "hook" | "preview" },
): CallOutcome {
  // It describes the tool's output, which a preview is not, nor whatever a hook may say.
  const isOutput = from === "tool" || (from === "hook" && isLikeOutput(toolOf(call), value));
  const toText = isOutput ? toolOf(call).toText : undefined;
  const { encodeResult } = call.resolved;
  const { redactor } = call.host;
  const masked = maskedResult(
    redactor,
    value,
    toText && ((output: never) => toText(output, wordingOf(call))),
  );
  const { text, content } = masked;
  // A text that a schema describes is data too.
  const isData = from === "tool" && typeof value === "string" && toolOf(call).outputSchema !== undefined;
  const data = masked.data === undefined && isData ? redactor.value(value) : masked.data;
  if (data === undefined) return { status: "done", text, content };
  const encoded = encodeResult({ data, text, input: call.input });
  const outcome: CallOutcome = { status: "done", text, content, data: encoded.data };
  return encoded.text === text ? outcome : withText(outcome, encoded.text);
}

function isLikeOutput({ outputSchema }: AnyTool, value: ToolReturn): boolean {
  if (outputSchema === undefined) return typeof value !== "string";
  return compileSchema(outputSchema, { fillsDefaults: false })(value).ok;
}
