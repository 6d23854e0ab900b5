import { findSchemaProblems } from "./gemini-schema-problems.ts";
import {
  inputText,
  piecesOf,
  type RequestBody,
  repeated,
  type WireEvent,
  type WireFormat,
} from "./wire-format.ts";

/** Gemini's contents, as the models since the third generation send them: calls come whole, and are signed. */
export const geminiWire: WireFormat = {
  path: ":streamGenerateContent",
  stream: streamChunks,
  findProblems,
  error: (status, message) => ({
    error: {
      code: status,
      message,
      ...(status === 429 && {
        details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "0.01s" }],
      }),
      status: status === 429 ? "RESOURCE_EXHAUSTED" : status >= 500 ? "UNAVAILABLE" : "INVALID_ARGUMENT",
    },
  }),
};

function* streamChunks(
  { reasoning, text, calls = [], usage, finishReason }: Parameters<WireFormat["stream"]>[0],
  count: number,
): Generator<WireEvent> {
  const chunk = (parts: object[], phase?: WireEvent["phase"], others: object = {}): WireEvent => ({
    data: JSON.stringify({
      candidates: [{ index: 0, content: { role: "model", parts }, ...others }],
      modelVersion: "loopback",
      responseId: `response-${count}`,
      usageMetadata: {
        promptTokenCount: usage?.inputTokens ?? 10,
        candidatesTokenCount: usage?.outputTokens ?? 5,
        totalTokenCount: (usage?.inputTokens ?? 10) + (usage?.outputTokens ?? 5),
      },
    }),
    ...(phase && { phase }),
  });
  for (const piece of piecesOf(reasoning ?? "")) yield chunk([{ text: piece, thought: true }]);
  for (const piece of piecesOf(text ?? "")) yield chunk([{ text: piece }], "text");
  const thoughtSignature = `signed-${count}`;
  const parts = calls.map(({ name, input, id }, place) => ({
    functionCall: { ...(id !== undefined && { id }), name, args: JSON.parse(inputText(input)) },
    // Of calls made together the first one alone is signed.
    ...(place === 0 && { thoughtSignature }),
  }));
  if (parts.length > 0) yield chunk(parts, "input");
  const reasons: Record<string, string> = {
    length: "MAX_TOKENS",
    "content-filter": "SAFETY",
    error: "MALFORMED_FUNCTION_CALL",
  };
  const last = parts.length > 0 ? [] : [{ text: "", thoughtSignature }];
  yield chunk(last, "finish", { finishReason: reasons[finishReason ?? ""] ?? "STOP" });
}

function findProblems({ contents = [], tools = [] }: RequestBody): string[] {
  const problems: string[] = [];
  for (const { functionDeclarations = [] } of tools) {
    for (const { name, parameters, parametersJsonSchema } of functionDeclarations) {
      if (!/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/.test(name)) problems.push(`tools: ${name} is no name`);
      if (parameters !== undefined && parametersJsonSchema !== undefined)
        problems.push(`${name}: only one of the two kinds of parameters`);
      if (parametersJsonSchema !== undefined)
        problems.push(...findSchemaProblems(parametersJsonSchema).map((problem) => `${name}: ${problem}`));
    }
  }
  if (contents[0]?.role !== "user") problems.push("the first content is not the user's");
  const ids: string[] = [];
  let open: RequestBody[] = [];
  for (const [place, { role, parts = [] }] of contents.entries()) {
    if (parts.length === 0) problems.push(`content ${place} has no parts`);
    const responses = fieldsOf(parts, "functionResponse");
    if (labelsOf(open) !== labelsOf(responses))
      problems.push(`content ${place} does not answer exactly the calls before it`);
    for (const { mimeType } of imagesIn(parts))
      if (!imageTypes.test(mimeType)) problems.push(`content ${place}: unsupported MIME type ${mimeType}`);
    open = fieldsOf(parts, "functionCall");
    if (open.length > 0 && role !== "model") problems.push(`content ${place} calls, and is not the model's`);
    const [first] = parts.filter((part: RequestBody) => part.functionCall !== undefined);
    if (first !== undefined && !first.thoughtSignature)
      problems.push(`the first call of content ${place} is missing a thought_signature`);
    ids.push(...open.flatMap(({ id }) => (id === undefined ? [] : [id])));
  }
  if (open.length > 0) problems.push("the last calls are not answered");
  return [...problems, ...repeated(ids)];
}

const imageTypes = /^image\/(?:png|jpeg|webp|heic|heif)$/;

/** Also those within the answers of functions. */
function imagesIn(parts: RequestBody[]): RequestBody[] {
  const inner = fieldsOf(parts, "functionResponse").flatMap((response) => response.parts ?? []);
  return fieldsOf([...parts, ...inner], "inlineData");
}

function fieldsOf(parts: RequestBody[], name: string): RequestBody[] {
  return parts.map((part) => part[name]).filter((field) => field !== undefined);
}

function labelsOf(callsOrResponses: readonly RequestBody[]): string {
  const labels = callsOrResponses.map(({ id, name }) => `${id} ${name}`);
  return labels.toSorted().join();
}
