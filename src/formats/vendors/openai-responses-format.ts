import { asFields, asFieldsList, type Fields, inOrder, withName } from "../fields.ts";
import { appendText, cutOffProblem, readArguments } from "../read-arguments.ts";
import { commonImageTypes, contentOf, toDataUrl } from "../result-content.ts";
import type { CallAnswer, MessageStream, ReadCall, StreamFormat, ToolFormat } from "../tool-format.ts";
import { adaptOpenAiSchema, freeFormProblem } from "./openai-chat-format.ts";

export interface OpenAiResponsesTool {
  readonly type: "function";
  readonly name: string;
  readonly description: string;
  readonly parameters: { readonly [keyword: string]: unknown };
  readonly strict: boolean;
}

export interface OpenAiCallOutput {
  readonly type: "function_call_output" | "custom_tool_call_output";
  readonly call_id: string;
  readonly output:
    | string
    | (
        | { readonly type: "input_text"; readonly text: string }
        | { readonly type: "input_image"; readonly image_url: string; readonly detail: "auto" }
      )[];
}

/** OpenAI's Responses API: a message is a response, or its `output`. */
export const openaiResponsesFormat: ToolFormat<OpenAiResponsesTool[], OpenAiCallOutput> = {
  limitsNames: true,
  nullMeansAbsent: true,
  adaptSchema: adaptOpenAiSchema,
  renderTools: (tools) =>
    tools.map(({ name, description, inputSchema, isStrict }) => ({
      type: "function",
      name,
      description,
      parameters: inputSchema,
      // Always present: unlike in chat completions, the default here is strict.
      strict: isStrict === true,
    })),
  readCalls(message) {
    const items = asFieldsList(Array.isArray(message) ? message : asFields(message)?.output);
    return items.filter(({ type }) => type === "function_call" || type === "custom_tool_call").map(readCall);
  },
  renderAnswers: (answers) => answers.map(toCallOutput),
};

function readCall({ type, call_id, name, arguments: given, input, status }: Fields): ReadCall {
  const made = withName(call_id, name);
  if (type === "custom_tool_call") return { ...made, input, inputProblem: freeFormProblem, isFreeForm: true };
  if (status === "incomplete") return { ...made, input: given, inputProblem: cutOffProblem };
  return { ...made, ...readArguments(given) };
}

function toCallOutput(answer: CallAnswer): OpenAiCallOutput {
  const { id = "", isFreeForm } = answer.call;
  const { text, images } = contentOf(answer, commonImageTypes);
  const type = isFreeForm ? "custom_tool_call_output" : "function_call_output";
  if (images.length === 0) return { type, call_id: id, output: text };
  const shown = images.map(
    (image) => ({ type: "input_image", image_url: toDataUrl(image), detail: "auto" }) as const,
  );
  const output = text === "" ? shown : [{ type: "input_text" as const, text }, ...shown];
  return { type, call_id: id, output };
}

/** Stream events of OpenAI's Responses API. */
export const openaiResponsesStream: StreamFormat = {
  recognises: ({ type }) => typeof type === "string" && type.startsWith("response."),
  open: openStream,
};

interface GrowingItem {
  fields: Fields;
  text: string;
  hasEnded: boolean;
}

function openStream(): MessageStream {
  const items = new Map<unknown, GrowingItem>();
  const keep = (index: unknown, item: unknown, isDone: boolean) => {
    const fields = asFields(item);
    if (fields === undefined) return;
    const text = appendText("", fields.arguments ?? fields.input);
    items.set(index, { fields, text, hasEnded: isDone && fields.status !== "incomplete" });
  };
  return {
    add(event) {
      const { type, output_index: index, arguments: whole } = event;
      const item = items.get(index);
      if (type === "response.output_item.added") keep(index, event.item, false);
      if (type === "response.output_item.done") keep(index, event.item, true);
      if (type === "response.function_call_arguments.delta" && item)
        item.text = appendText(item.text, event.delta);
      if (type === "response.function_call_arguments.done" && item) {
        if (typeof whole === "string") item.text = appendText("", whole);
        item.hasEnded = true;
      }
      // The last event repeats the whole response.
      if (type === "response.completed" || type === "response.incomplete")
        for (const [at, each] of asFieldsList(asFields(event.response)?.output).entries())
          keep(at, each, true);
    },
    calls: () =>
      inOrder(items)
        .filter(({ fields }) => fields.type === "function_call" || isFreeForm(fields))
        .map(({ fields, text, hasEnded }) => ({
          ...withName(fields.call_id, fields.name),
          arguments: text,
          hasEnded,
          ...(isFreeForm(fields) && { isFreeForm: true }),
        })),
    message: () => ({
      output: inOrder(items).map(({ fields, text }) =>
        fields.type === "function_call" ? { ...fields, arguments: text } : fields,
      ),
    }),
  };
}

function isFreeForm({ type }: Fields): boolean {
  return type === "custom_tool_call";
}
