import { readFile } from "node:fs/promises";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { isPlainObject } from "../../../shared/json.ts";
import { ModelError } from "./model-error.ts";
import { type ScriptedStep, scriptedModel } from "./scripted-model.ts";

/** Reads a scripted model's steps from a JSON file, for demonstrations on the command line. */
export async function readModelScript(file: string): Promise<LanguageModelV4> {
  try {
    const steps: unknown = JSON.parse(await readFile(file, "utf8"));
    if (Array.isArray(steps) && steps.every(isStep)) return scriptedModel(steps);
  } catch (cause) {
    throw new ModelError(`cannot read the script ${file}: ${(cause as Error).message}`, { cause });
  }
  throw new ModelError(
    `the script ${file} must be a list of steps such as {"text": "…"} or {"calls": [{"name": "…", "input": {}}]}`,
  );
}

function isStep(step: unknown): step is ScriptedStep {
  if (!isPlainObject(step)) return false;
  const { text = "", reasoning = "", calls = [] } = step;
  const isCall = (call: unknown) => isPlainObject(call) && typeof call.name === "string";
  return (
    typeof text === "string" && typeof reasoning === "string" && Array.isArray(calls) && calls.every(isCall)
  );
}
