import { asFields, asFieldsList, type Fields, withId } from "../fields.ts";
import { cutOffProblem, readArguments } from "../read-arguments.ts";
import { commonImageTypes, contentOf, toDataUrl } from "../result-content.ts";
import type { CallAnswer, ReadCall, ToolFormat } from "../tool-format.ts";
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
    const calls = items.filter(({ type }) => type === "function_call" || type === "custom_tool_call");
    return calls.length === 0 ? undefined : calls.map(readCall);
  },
  renderAnswers: (answers) => answers.map(toCallOutput),
};

function readCall({ type, call_id, name, arguments: given, input, status }: Fields): ReadCall {
  const made = { ...withId(call_id), name: typeof name === "string" ? name : "" };
  if (type === "custom_tool_call") return { ...made, input, inputProblem: freeFormProblem, isFreeForm: true };
  if (status === "incomplete") return { ...made, input: given, inputProblem: cutOffProblem };
  return { ...made, ...readArguments(given) };
}

function toCallOutput(answer: CallAnswer): OpenAiCallOutput {
  const { call } = answer;
  const { text, images } = contentOf(answer, commonImageTypes);
  return {
    type: call.isFreeForm ? "custom_tool_call_output" : "function_call_output",
    call_id: call.id ?? "",
    output:
      images.length === 0
        ? text
        : [
            ...(text === "" ? [] : [{ type: "input_text" as const, text }]),
            ...images.map((image) => ({
              type: "input_image" as const,
              image_url: toDataUrl(image),
              detail: "auto" as const,
            })),
          ],
  };
}
