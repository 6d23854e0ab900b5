import { readFile } from "node:fs/promises";
import { createAnswerFormat } from "../../../capabilities/agents/answer-format.ts";
import type { JsonSchema } from "../../../shared/json-schema/json-schema.ts";
import { UsageError } from "../usage-error.ts";

/** The schema that the answer must fit, checked before anything runs. */
export async function readSchemaFile(file: string | undefined): Promise<JsonSchema | undefined> {
  if (file === undefined) return undefined;
  const fail = (what: string, cause: unknown): never => {
    throw new UsageError(`--schema: ${what}: ${(cause as Error).message}`, { cause });
  };
  const text = await readFile(file, "utf8").catch((error) => fail(`cannot read ${file}`, error));
  let schema: JsonSchema;
  try {
    schema = JSON.parse(text);
  } catch (error) {
    return fail(`${file} is not valid JSON`, error);
  }
  try {
    createAnswerFormat(schema);
    return schema;
  } catch (error) {
    return fail(`${file} is not a JSON Schema that can be checked`, error);
  }
}
