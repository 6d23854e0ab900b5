import { withStandardFormats } from "../../formats/vendors/standard-formats.ts";
import {
  moveReferences,
  toObjectSchema,
  toStructuredContent,
} from "../../formats/vendors/structured-content.ts";
import type { CallResult } from "../../kernel/call/call.ts";
import { compileSchema } from "../../shared/json-schema/compile-schema.ts";
import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";

/** What clients are told about a tool's structured content. They refuse a result that does not keep to it. */
export interface OutputPromise {
  readonly schema: JsonSchema;
  contentOf(result: Pick<CallResult, "data" | "text">): Record<string, unknown>;
}

/** With hooks, a result may be another than the tool's: the promise then says so. */
export function createOutputPromise(
  outputSchema: JsonSchema,
  { hasHooks }: { hasHooks: boolean },
): OutputPromise {
  const own = (data: unknown) => toStructuredContent(data, outputSchema);
  const schema = withStandardFormats(toObjectSchema(outputSchema));
  if (!hasHooks) return { schema, contentOf: (result) => own(answerOf(result)) };
  let check: ReturnType<typeof compileSchema> | undefined;
  const isOwn = (data: unknown) => {
    check ??= compileSchema(outputSchema, { fillsDefaults: false });
    return check(data).ok;
  };
  return {
    schema: { type: "object", anyOf: [moveReferences(schema, "#/anyOf/0"), answeredByHook] },
    contentOf: (result) => {
      const value = answerOf(result);
      return isOwn(value) ? own(value) : { result: value };
    },
  };
}

function answerOf({ data, text }: Pick<CallResult, "data" | "text">): unknown {
  return data === undefined ? text : data;
}

const answeredByHook: JsonSchema = {
  type: "object",
  description: "What a hook answered in the tool's place",
  properties: { result: {} },
  required: ["result"],
};
