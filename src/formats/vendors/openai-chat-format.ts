import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";
import { asFields, asFieldsList, type Fields, withId } from "../fields.ts";
import { cutOffProblem, readArguments } from "../read-arguments.ts";
import { commonImageTypes, contentOf, countImages, toDataUrl } from "../result-content.ts";
import { toCommonSchema } from "../schemas/common-schema.ts";
import { toStrictSchema } from "../schemas/strict-schema.ts";
import type { AdaptedSchema, CallAnswer, ReadCall, RenderOptions, ToolFormat } from "../tool-format.ts";

export interface OpenAiTool {
  readonly type: "function";
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: { readonly [keyword: string]: unknown };
    readonly strict?: boolean;
  };
}

export interface OpenAiToolMessage {
  readonly role: "tool";
  readonly tool_call_id: string;
  readonly content: string;
}

/** Carries the images of the results, which tool messages cannot hold. */
export interface OpenAiImageMessage {
  readonly role: "user";
  readonly content: (
    | { readonly type: "text"; readonly text: string }
    | { readonly type: "image_url"; readonly image_url: { readonly url: string } }
  )[];
}

/** OpenAI's chat completions, and the many servers with the same API. */
export const openaiChatFormat: ToolFormat<OpenAiTool[], OpenAiToolMessage | OpenAiImageMessage> = {
  limitsNames: true,
  nullMeansAbsent: true,
  adaptSchema: adaptOpenAiSchema,
  renderTools: (tools) =>
    tools.map(({ name, description, inputSchema: parameters, isStrict }) => ({
      type: "function",
      function: isStrict
        ? { name, description, parameters, strict: true }
        : { name, description, parameters },
    })),
  readCalls(message) {
    const { fields, isCutOff } = unwrapChoice(message);
    const calls = asFieldsList(fields?.tool_calls);
    return calls.length === 0
      ? undefined
      : calls.map((call) => readCall(call, isCutOff && call === calls.at(-1)));
  },
  renderAnswers(answers) {
    const messages = answers.map(toToolMessage);
    const images = answers.flatMap(toImageContent);
    return images.length === 0 ? messages : [...messages, { role: "user", content: images }];
  },
};

export function adaptOpenAiSchema(schema: JsonSchema, { strict }: RenderOptions): AdaptedSchema {
  const strictSchema = strict ? toStrictSchema(schema) : undefined;
  if (strictSchema !== undefined) return { schema: strictSchema, isStrict: true };
  return { schema: toCommonSchema(schema), isStrict: false };
}

/** Accepts the message itself or a whole response that contains it. */
function unwrapChoice(message: unknown): { fields: Fields | undefined; isCutOff: boolean } {
  const fields = asFields(message);
  const [choice] = asFieldsList(fields?.choices);
  if (choice === undefined) return { fields, isCutOff: false };
  return { fields: asFields(choice.message), isCutOff: openaiCuttingReasons.has(choice.finish_reason) };
}

/** Finish reasons of a message that is incomplete. */
export const openaiCuttingReasons: ReadonlySet<unknown> = new Set(["length", "content_filter"]);

function readCall(call: Fields, isCutOff: boolean): ReadCall {
  const custom = call.type === "custom" ? asFields(call.custom) : undefined;
  const { name, arguments: given } = custom ?? asFields(call.function) ?? {};
  const made = { ...withId(call.id), name: typeof name === "string" ? name : "" };
  if (custom !== undefined) return { ...made, input: custom.input, inputProblem: freeFormProblem };
  // A call that was cut off before its first argument looks like a call without arguments.
  if (isCutOff && (given === undefined || given === ""))
    return { ...made, input: {}, inputProblem: cutOffProblem };
  return { ...made, ...readArguments(given) };
}

export const freeFormProblem = "the arguments must be a JSON object, not free text";

function toToolMessage(answer: CallAnswer): OpenAiToolMessage {
  const { text, images } = contentOf(answer, commonImageTypes);
  const note = images.length === 0 ? "" : `[${countImages(images.length)} in the next message]`;
  const content = [text, note].filter((part) => part !== "").join("\n");
  return { role: "tool", tool_call_id: answer.call.id ?? "", content };
}

function toImageContent(answer: CallAnswer): OpenAiImageMessage["content"] {
  const { images } = contentOf(answer, commonImageTypes);
  if (images.length === 0) return [];
  const { name, id } = answer.call;
  const source = id === undefined ? name : `${name} (${id})`;
  return [
    { type: "text", text: `${countImages(images.length)} from ${source}:` },
    ...images.map((image) => ({ type: "image_url" as const, image_url: { url: toDataUrl(image) } })),
  ];
}
