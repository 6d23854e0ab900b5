import type { PresentedTool } from "../runtime/dialects/dialect-view.ts";
import { isCallId } from "../runtime/pipeline/begin-call.ts";
import type { CallRequest, CallResult } from "../runtime/pipeline/call.ts";
import { canonicalJson } from "../shared/json.ts";
import { describeList } from "../shared/json-schema/describe-value.ts";
import type { AnswerTo } from "./answer-to.ts";
import { checkMessage } from "./check-message.ts";
import { asFields } from "./fields.ts";
import { checkFormatName, type FormatName, formats } from "./formats.ts";
import { dropNulls } from "./schemas/drop-nulls.ts";
import type { CallAnswer, ReadCall, ToolFormat } from "./tool-format.ts";
import { createVendorNames } from "./vendors/vendor-names.ts";

/** What interop needs of a session. */
export interface InteropSession {
  list(): readonly PresentedTool[];
  /** Those that a model is offered now; with `only`, of these names. */
  listActive(only?: readonly string[]): readonly PresentedTool[];
  find(name: string): { readonly tool: PresentedTool; readonly isConcurrencySafe: boolean } | undefined;
  callAll(requests: readonly CallRequest[]): Promise<CallResult[]>;
}

export interface HandleOptions extends Pick<CallRequest, "signal" | "timeoutMs" | "caller"> {
  /** Whose message it is; by default what it looks like decides. */
  readonly format?: FormatName;
  readonly onProgress?: (update: unknown, call: { readonly id?: string; readonly name: string }) => void;
}

/**
 * Runs all tool calls of a model's message, each once, and gives the messages to append after it: an answer to every
 * call in the order of the calls, whatever became of it. None where the message has no calls.
 */
export async function handleMessage<Message>(
  session: InteropSession,
  message: Message,
  options: HandleOptions = {},
): Promise<AnswerTo<Message>[]> {
  const read = readMessage(message, options.format);
  if (read === undefined) return [];
  const turns = joinRepeats(read.calls);
  const nameOf = createNameReader(session);
  const requests = turns.map(({ call }) => toRequest(call, nameOf(call.name), { session, read, options }));
  const results = await session.callAll(requests);
  const answers = turns.map((turn, index) => toAnswer(turn, results[index]!));
  return read.format.renderAnswers(answers) as AnswerTo<Message>[];
}

interface ReadMessage {
  readonly format: ToolFormat;
  readonly calls: readonly ReadCall[];
}

function readMessage(message: unknown, name: FormatName | undefined): ReadMessage | undefined {
  if (typeof message !== "object" || message === null) {
    throw new TypeError(
      `a message must be an object; received ${message === null ? "null" : typeof message}`,
    );
  }
  if (name !== undefined) checkFormatName(name);
  const assembled = asAssembled(message);
  if (assembled !== undefined) return assembled;
  for (const format of name === undefined
    ? Object.values<ToolFormat>(formats)
    : [formats[name] as ToolFormat]) {
    const calls = format.readCalls(message);
    if (calls !== undefined) return { format, calls };
  }
  checkMessage(message);
  return undefined;
}

/** What a stream was put together to: the calls are read already, and it is known whether they were complete. */
function asAssembled(message: object): ReadMessage | undefined {
  const { format, calls } = asFields(message) ?? {};
  if (format === undefined || !Array.isArray(calls)) return undefined;
  checkFormatName(format);
  return calls.length === 0 ? undefined : { format: formats[format], calls: calls as ReadCall[] };
}

/** A call, and what came after it under the same id. */
interface Turn {
  readonly call: ReadCall;
  readonly refused: ReadCall[];
}

/**
 * An id has one answer in every vendor's transcript. The same call again is the same call; another one under its id
 * cannot be answered for, so it does not run and the answer says so.
 */
function joinRepeats(calls: readonly ReadCall[]): readonly Turn[] {
  const byId = new Map<string, Turn>();
  return calls.flatMap((call) => {
    const earlier = call.id === undefined ? undefined : byId.get(call.id);
    if (earlier !== undefined) {
      if (!isSameCall(earlier.call, call)) earlier.refused.push(call);
      return [];
    }
    const turn: Turn = { call, refused: [] };
    if (call.id !== undefined) byId.set(call.id, turn);
    return [turn];
  });
}

function isSameCall(left: ReadCall, right: ReadCall): boolean {
  if (left.name !== right.name || left.inputProblem !== right.inputProblem) return false;
  try {
    return canonicalJson(left.input) === canonicalJson(right.input);
  } catch {
    return false;
  }
}

/** The names that tools have here; only a name that no tool has is looked for among the stand-ins. */
function createNameReader(session: InteropSession): (name: string) => string {
  let names: ReturnType<typeof createVendorNames> | undefined;
  return (name) => {
    if (session.find(name) !== undefined) return name;
    names ??= createVendorNames(session.list().map((tool) => tool.name));
    return names.fromVendor(name);
  };
}

function toRequest(
  call: ReadCall,
  name: string,
  { session, read, options }: { session: InteropSession; read: ReadMessage; options: HandleOptions },
): CallRequest {
  const { signal, timeoutMs, caller, onProgress } = options;
  const { id, input, inputProblem } = call;
  const schema = read.format.nullMeansAbsent ? session.find(name)?.tool.inputSchema : undefined;
  return {
    name,
    input: schema === undefined ? input : dropNulls(input, schema),
    // Any other id is the vendor's alone, and the call gets one of its own.
    ...(isCallId(id) && { id }),
    ...(inputProblem !== undefined && { inputProblem }),
    ...(signal && { signal }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(caller && { caller }),
    ...(onProgress && {
      onProgress: (update) => onProgress(update, { ...(id !== undefined && { id }), name }),
    }),
  };
}

function toAnswer({ call, refused }: Turn, result: CallResult): CallAnswer {
  if (refused.length === 0) return { call, result };
  const names = describeList(refused.map(({ name }) => name));
  const note = `Under the same id there was also a call of ${names}, which was not run; give every call an id of its own.`;
  const content = [...result.content, { type: "text" as const, text: note }];
  return { call, result: { ...result, text: `${result.text}\n${note}`, content } };
}
