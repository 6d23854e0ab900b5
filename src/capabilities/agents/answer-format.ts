import type { JSONSchema7 } from "@ai-sdk/provider";
import { toStrictSchema } from "../../formats/index.ts";
import { isPlainObject } from "../../shared/json.ts";
import type { Validation } from "../../shared/json-schema/json-schema.ts";
import { type CheckedSchema, createCheckedSchema, type SchemaDeclaration } from "../../tool/input-schema.ts";

export type AnswerFormat = ReturnType<typeof createAnswerFormat>;

/** The form that the last answer of a run must have. Throws if the schema could not be checked. */
export function createAnswerFormat(schema: SchemaDeclaration) {
  const { json, validate } = readAnswerSchema(schema);
  const { $schema: _dialect, ...sent } = json;
  const wanted = `JSON that fits this JSON Schema, with nothing before or after it:\n${JSON.stringify(sent)}`;
  return {
    /** Tells the model, before its first step, which form its answer must have. */
    request: `Your last answer to the message above, when you need no more tools, must be ${wanted}`,
    /** The format as the model's provider takes it, whose type allows no list that is read-only. */
    responseFormat: { type: "json" as const, schema: sent as unknown as JSONSchema7 },
    // OpenAI refuses schemas that its strict mode does not have; it accepts them as a guide.
    providerOptions: { openai: { strictJsonSchema: isStrict(sent) } },
    async check(text: string): Promise<Validation> {
      const parsed = parseAnswer(text);
      return parsed.ok ? validate(parsed.value) : parsed;
    },
    /** Tells the model why its answer does not fit. */
    correction: (problems: string) => `Your answer does not fit: ${problems}. Answer again with ${wanted}`,
  };
}

function readAnswerSchema(schema: SchemaDeclaration): CheckedSchema {
  if (isPlainObject(schema) || "~standard" in Object(schema)) return createCheckedSchema(schema);
  throw new TypeError(
    "agent.run: schema must be a JSON Schema object, or a Standard Schema such as z.object({ … })",
  );
}

function isStrict(schema: Record<string, unknown>): boolean {
  const { isDeepStrictEqual } = process.getBuiltinModule("node:util");
  return isDeepStrictEqual(toStrictSchema(schema), schema);
}

function parseAnswer(text: string): Validation {
  try {
    return { ok: true, value: JSON.parse(withoutFence(text.trim())) };
  } catch (error) {
    const message = `it is not JSON (${(error as Error).message})`;
    return { ok: false, issues: [{ path: "$", expected: "JSON", received: "text", message }] };
  }
}

/** Models that are not held to a format like to write JSON as a code block of Markdown. */
function withoutFence(text: string): string {
  const firstLineEnd = text.indexOf("\n");
  const isFenced = text.startsWith("```") && text.endsWith("```") && firstLineEnd > 0;
  return isFenced ? text.slice(firstLineEnd + 1, -3) : text;
}

const maxProblems = 10;

export function describeProblems({ issues }: Extract<Validation, { ok: false }>): string {
  const told = issues.slice(0, maxProblems).map(({ message }) => message);
  const rest = issues.length > maxProblems ? [`and ${issues.length - maxProblems} more`] : [];
  return [...told, ...rest].join("; ");
}

/** The answer as JSON has it: a schema library may have turned a text into another value, such as a date. */
export function renderAnswer(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value));
  } catch {
    return undefined;
  }
}
