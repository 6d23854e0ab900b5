import {
  inputText,
  isToolName,
  piecesOf,
  type RequestBody,
  repeated,
  type WireEvent,
  type WireFormat,
} from "./wire-format.ts";

/** OpenAI's chat completions, which most servers of open models speak too. */
export const openaiChatWire: WireFormat = {
  path: "/chat/completions",
  stream: streamChunks,
  findProblems,
  error: (status, message) => ({
    error: { message, type: status >= 500 ? "server_error" : "error", param: null, code: null },
  }),
};

function* streamChunks(
  { reasoning, text, calls = [], usage, finishReason }: Parameters<WireFormat["stream"]>[0],
  count: number,
): Generator<WireEvent> {
  const chunk = (fields: object, phase?: WireEvent["phase"]): WireEvent => ({
    data: JSON.stringify({
      id: `chatcmpl-${count}`,
      object: "chat.completion.chunk",
      created: 1,
      model: "loopback",
      ...fields,
    }),
    ...(phase && { phase }),
  });
  const delta = (fields: object, phase?: WireEvent["phase"]) =>
    chunk({ choices: [{ index: 0, delta: fields, finish_reason: null }] }, phase);
  yield delta({ role: "assistant", content: "" });
  for (const reasoning_content of piecesOf(reasoning ?? "")) yield delta({ reasoning_content });
  for (const content of piecesOf(text ?? "")) yield delta({ content }, "text");
  for (const [index, call] of calls.entries()) {
    const id = call.id ?? `call_${count}_${index}`;
    yield delta({
      tool_calls: [{ index, id, type: "function", function: { name: call.name, arguments: "" } }],
    });
    for (const piece of piecesOf(inputText(call.input)))
      yield delta({ tool_calls: [{ index, function: { arguments: piece } }] }, "input");
  }
  const reasons: Record<string, string> = { length: "length", "content-filter": "content_filter" };
  const finish_reason = reasons[finishReason ?? ""] ?? (calls.length > 0 ? "tool_calls" : "stop");
  yield chunk({ choices: [{ index: 0, delta: {}, finish_reason }] }, "finish");
  const [prompt_tokens, completion_tokens] = [usage?.inputTokens ?? 10, usage?.outputTokens ?? 5];
  const total_tokens = prompt_tokens + completion_tokens;
  yield chunk({ choices: [], usage: { prompt_tokens, completion_tokens, total_tokens } });
  yield { data: "[DONE]" };
}

function findProblems({ messages = [], tools = [], response_format }: RequestBody): string[] {
  const problems = findFormatProblems(response_format?.json_schema);
  for (const {
    function: { name, parameters },
  } of tools) {
    if (!isToolName(name)) problems.push(`tools: ${name} is no name`);
    problems.push(...findShapeProblems(parameters).map((problem) => `${name}: ${problem}`));
  }
  const ids: string[] = [];
  let open = new Set<string>();
  for (const [place, message] of messages.entries()) {
    if (message.role === "tool") {
      if (!open.delete(message.tool_call_id)) problems.push(`message ${place} answers no call before it`);
      continue;
    }
    if (open.size > 0) problems.push(`message ${place} comes before all calls are answered`);
    open = new Set();
    if (message.role !== "assistant") continue;
    const calls: RequestBody[] = message.tool_calls ?? [];
    if (calls.length === 0 && !message.content) problems.push(`message ${place} is empty`);
    for (const call of calls) {
      ids.push(call.id);
      open.add(call.id);
      if (!isObjectText(call.function?.arguments))
        problems.push(`the arguments of ${call.id} are no JSON object`);
    }
  }
  if (open.size > 0) problems.push("the last calls are not answered");
  return [...problems, ...repeated(ids)];
}

/** What strict mode refuses about the schema of an answer. */
export function findFormatProblems({ strict, schema, name = "" }: RequestBody = {}): string[] {
  if (schema === undefined) return [];
  if (!isToolName(name)) return ["the format of the answer has no name"];
  if (schema.type !== "object") return [`schema must be a JSON Schema of 'type: "object"'`];
  return strict ? findLooseObjects(schema) : [];
}

function findLooseObjects(schema: RequestBody, path = "$"): string[] {
  const inner = Object.entries<RequestBody>({
    ...schema.properties,
    ...(schema.items && { "[]": schema.items }),
  });
  const problems = inner.flatMap(([name, each]) => findLooseObjects(each, `${path}.${name}`));
  if (schema.type !== "object") return problems;
  if (schema.additionalProperties !== false) problems.push(`${path}: additionalProperties must be false`);
  for (const name of Object.keys(schema.properties ?? {}))
    if (!schema.required?.includes(name)) problems.push(`${path}.${name} is missing in required`);
  return problems;
}

/** What is refused about the schema of a function, also where the model is not held to it. */
export function findShapeProblems(schema: RequestBody, path = "$"): string[] {
  const problems: string[] = [];
  if (path === "$" && (schema.type !== "object" || schema.properties === undefined))
    problems.push("object schema missing properties");
  if (schema.type === "array" && schema.items === undefined)
    problems.push(`${path}: array schema missing items`);
  for (const [name, inner] of Object.entries<RequestBody>(schema.properties ?? {}))
    problems.push(...findShapeProblems(inner, `${path}.${name}`));
  return problems;
}

export function isObjectText(text: unknown): boolean {
  try {
    const value: unknown = JSON.parse(String(text));
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
