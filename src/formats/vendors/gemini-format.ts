import { defined } from "../../shared/options/defined.ts";
import { asFields, asFieldsList, type Fields, withId } from "../fields.ts";
import { cutOffProblem, readArguments } from "../read-arguments.ts";
import { contentOf, hasFailed } from "../result-content.ts";
import type { AdaptedTool, CallAnswer, ReadCall, ToolFormat } from "../tool-format.ts";
import { type GeminiSchema, toGeminiSchema } from "./gemini-schema.ts";

export interface GeminiTool {
  readonly functionDeclarations: GeminiFunction[];
}

export interface GeminiFunction {
  readonly name: string;
  readonly description: string;
  readonly parameters?: GeminiSchema;
}

export interface GeminiAnswer {
  readonly role: "user";
  readonly parts: GeminiPart[];
}

export type GeminiPart =
  | {
      readonly functionResponse: {
        readonly id?: string;
        readonly name: string;
        readonly response: { readonly output: string } | { readonly error: string };
      };
    }
  | { readonly text: string }
  | { readonly inlineData: { readonly mimeType: string; readonly data: string } };

/** Gemini's contents; all our tools become functions of a single Gemini tool. */
export const geminiFormat: ToolFormat<GeminiTool[], GeminiAnswer> = {
  limitsNames: true,
  adaptSchema: (schema) => ({ schema: toGeminiSchema(schema), isStrict: false }),
  renderTools: (tools) => (tools.length === 0 ? [] : [{ functionDeclarations: tools.map(toFunction) }]),
  readCalls(message) {
    const fields = asFields(message);
    const [candidate] = asFieldsList(fields?.candidates);
    const content = candidate === undefined ? fields : asFields(candidate.content);
    const calls = asFieldsList(asFieldsList(content?.parts).map(({ functionCall }) => functionCall));
    return calls.length === 0 ? undefined : calls.map(readCall);
  },
  renderAnswers: (answers) => [
    { role: "user", parts: [...answers.map(toResponse), ...answers.flatMap(toMediaParts)] },
  ],
};

function toFunction({ name, description, inputSchema }: AdaptedTool): GeminiFunction {
  // Gemini refuses an object without properties, so a tool without input has no parameters.
  return { name, description, ...defined({ parameters: inputSchema.properties && inputSchema }) };
}

function readCall({ id, name, args, partialArgs, willContinue }: Fields): ReadCall {
  const call = { ...withId(id), name: typeof name === "string" ? name : "" };
  // A piece of a streamed message that was not assembled.
  const isPiece = partialArgs !== undefined || willContinue === true;
  if (isPiece) return { ...call, input: args, inputProblem: cutOffProblem };
  return { ...call, ...readArguments(args) };
}

function toResponse(answer: CallAnswer): GeminiPart {
  const { call } = answer;
  const { text } = contentOf(answer, imageTypes, { audioTypes });
  const response = hasFailed(answer) ? { error: text } : { output: text };
  return { functionResponse: { ...withId(call.id), name: call.name, response } };
}

function toMediaParts(answer: CallAnswer): GeminiPart[] {
  const { images, recordings } = contentOf(answer, imageTypes, { audioTypes });
  const media = [...images, ...recordings];
  if (media.length === 0) return [];
  return [
    { text: `From ${answer.call.name}:` },
    ...media.map(({ mimeType, data }) => ({ inlineData: { mimeType, data } })),
  ];
}

const imageTypes: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/webp",
  "image/heic",
  "image/heif",
]);

const audioTypes: ReadonlySet<string> = new Set([
  "audio/wav",
  "audio/mp3",
  "audio/aiff",
  "audio/aac",
  "audio/ogg",
  "audio/flac",
]);
