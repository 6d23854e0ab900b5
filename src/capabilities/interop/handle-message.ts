import {
  type AiSdkToolMessage,
  type AnthropicAnswer,
  asFields,
  asFieldsList,
  type CallAnswer,
  checkFormatName,
  createVendorNames,
  type Fields,
  type FormatName,
  formats,
  type GeminiAnswer,
  type McpToolResult,
  type OpenAiCallOutput,
  type OpenAiImageMessage,
  type OpenAiToolMessage,
  type ReadCall,
  type ToolFormat,
} from "../../formats/index.ts";
import { type CallRequest, type CallResult, isCallId } from "../../kernel/call/index.ts";
import type { PresentedTool } from "../../kernel/dialects/index.ts";
import { canonicalJson } from "../../shared/json.ts";
import { describeList } from "../../shared/json-schema/describe-value.ts";
import { leaveOutNulls } from "../../shared/json-schema/readings/convert-value.ts";
import { defined } from "../../shared/options/defined.ts";
import { foreign, knownKeys, value } from "../../shared/options/known-keys.ts";
import { refuseUnknownKeys } from "../../shared/options/refuse-unknown-keys.ts";
import { callerKeys } from "../../tool/caller.ts";

/** What interop needs from a session. */
export interface InteropSession {
  list(): readonly PresentedTool[];
  /** The tools that a model is offered now; with `only`, limited to these names. */
  listActive(only?: readonly string[]): readonly PresentedTool[];
  find(name: string): { readonly tool: PresentedTool; readonly isConcurrencySafe: boolean } | undefined;
  callAll(requests: readonly CallRequest[]): Promise<CallResult[]>;
}

export interface HandleOptions extends Pick<CallRequest, "signal" | "timeoutMs" | "caller"> {
  /** The vendor's format. Default: recognised from the message. */
  readonly format?: FormatName;
  readonly onProgress?: (update: unknown, call: { readonly id?: string; readonly name: string }) => void;
}

export const handleKeys = knownKeys<HandleOptions>({
  format: value,
  signal: foreign,
  timeoutMs: value,
  caller: callerKeys,
  onProgress: value,
});

/**
 * Runs all tool calls of a model's message, each once, and returns the messages to append after it: an answer to every
 * call, in order, whether it succeeded or not. Empty if the message has no calls.
 */
export async function handleMessage<Message>(
  session: InteropSession,
  message: Message,
  options: HandleOptions = {},
): Promise<AnswerTo<Message>[]> {
  refuseUnknownKeys(options, handleKeys, "handle");
  const read = readMessage(message, options.format);
  if (read === undefined) return [];
  const turns = joinRepeats(read.calls);
  const nameOf = createNameReader(session);
  const requests = turns.map(({ call }) => toRequest(call, nameOf(call.name), { session, read, options }));
  const results = await session.callAll(requests);
  const answers = turns.map((turn, index) => ({
    ...toAnswer(turn, results[index]!),
    outputSchema: () => session.find(requests[index]!.name)?.tool.outputSchema,
  }));
  return read.format.renderAnswers(answers) as AnswerTo<Message>[];
}

interface ReadMessage {
  readonly format: ToolFormat;
  readonly calls: readonly ReadCall[];
}

function readMessage(message: unknown, name: FormatName | undefined): ReadMessage | undefined {
  if (typeof message !== "object" || message === null) {
    const received = message === null ? "null" : typeof message;
    throw new TypeError(`a message must be an object; received ${received}`);
  }
  if (name !== undefined) checkFormatName(name);
  const assembled = asAssembled(message);
  if (assembled !== undefined) return assembled;
  const possible: readonly ToolFormat[] = name === undefined ? Object.values(formats) : [formats[name]];
  for (const format of possible) {
    const calls = format.readCalls(message);
    if (calls.length > 0) return { format, calls };
  }
  checkMessage(message);
  return undefined;
}

/** A message assembled from a stream: its calls have been read already, and whether they are complete is known. */
function asAssembled(message: object): ReadMessage | undefined {
  const { format, calls } = asFields(message) ?? {};
  if (format === undefined || !Array.isArray(calls)) return undefined;
  checkFormatName(format);
  return calls.length === 0 ? undefined : { format: formats[format], calls: calls as ReadCall[] };
}

/** A call, and different calls that came later under the same id. */
interface Turn {
  readonly call: ReadCall;
  readonly refused: ReadCall[];
}

/**
 * In every vendor's transcript an id has one answer. A repeated call counts once; a different call under the same id
 * cannot be answered, so it does not run, and the answer says so.
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

/** Resolves names from a model; only a name that no tool has is looked up among the vendor names. */
export function createNameReader(session: InteropSession): (name: string) => string {
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
    input: schema === undefined ? input : leaveOutNulls(input, schema),
    // An id that is not valid here is used only towards the vendor, and the call gets a new one.
    ...defined({
      id: isCallId(id) ? id : undefined,
      inputProblem,
      signal,
      timeoutMs,
      caller,
      onProgress: onProgress && ((update: unknown) => onProgress(update, { name, ...defined({ id }) })),
    }),
  };
}

function toAnswer({ call, refused }: Turn, result: CallResult): Pick<CallAnswer, "call" | "result"> {
  if (refused.length === 0) return { call, result };
  const names = describeList(refused.map(({ name }) => name));
  const note = `You also called ${names} under the same id; that did not run. Give every call its own id.`;
  const content = [...result.content, { type: "text" as const, text: note }];
  return { call, result: { ...result, text: `${result.text}\n${note}`, content } };
}

/**
 * Throws for a value that is not a message at all. Otherwise it would pass for a message without calls, which ends the
 * model's turn.
 */
function checkMessage(message: object): void {
  const problem = Array.isArray(message) ? findListProblem(message) : findProblem(asFields(message) ?? {});
  if (problem !== undefined) throw new TypeError(problem);
}

function findListProblem(items: readonly unknown[]): string | undefined {
  if (items.every((item) => typeof asFields(item)?.type === "string")) return undefined;
  return "a list must be the output of one response; to handle a conversation, pass only the model's last message";
}

function findProblem({ tool_calls, function_call, error }: Fields): string | undefined {
  const said = asFields(error)?.message;
  if (typeof said === "string") return `this is an error from the model's vendor, not a message: ${said}`;
  if (asFields(function_call) !== undefined)
    return "function_call is an old form that is not supported; offer the functions as tools";
  const isList = Array.isArray(tool_calls) && asFieldsList(tool_calls).length === tool_calls.length;
  return tool_calls === undefined || tool_calls === null || isList
    ? undefined
    : "tool_calls must be a list of calls";
}

/** The type of the messages that answer a vendor's message, if its own type tells the vendor. */
export type AnswerTo<Message> = Message extends readonly unknown[]
  ? OpenAiCallOutput
  : "output" extends keyof Message
    ? OpenAiCallOutput
    : "tool_calls" extends keyof Message
      ? OpenAiToolMessage | OpenAiImageMessage
      : "choices" extends keyof Message
        ? OpenAiToolMessage | OpenAiImageMessage
        : "stop_reason" extends keyof Message
          ? AnthropicAnswer
          : "parts" extends keyof Message
            ? GeminiAnswer
            : "candidates" extends keyof Message
              ? GeminiAnswer
              : AnyAnswer;

export type AnyAnswer =
  | OpenAiToolMessage
  | OpenAiImageMessage
  | OpenAiCallOutput
  | AnthropicAnswer
  | GeminiAnswer
  | AiSdkToolMessage
  | McpToolResult;
