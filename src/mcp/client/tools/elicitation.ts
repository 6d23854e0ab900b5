import type { ElicitResult } from "@modelcontextprotocol/client";
import { isPlainObject } from "../../../shared/json.ts";
import type { FormAnswers } from "../../../tool/forms/form-fields.ts";
import type { FormQuestion } from "../../../tool/services/question.ts";
import type { AskOptions } from "../../../tool/tool-context.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { readForm } from "./read-form.ts";

/** How the person of a call is asked. */
export type Ask = (form: FormQuestion, options: Required<AskOptions>) => Promise<FormAnswers>;

/** Puts what a server asks for to the person of the call. Why there is no answer is nothing that a server has to know. */
export async function answerElicitation(
  params: unknown,
  { ask, signal }: { ask: Ask; signal: AbortSignal },
): Promise<ElicitResult> {
  // Nobody here could check where an address leads.
  if (isPlainObject(params) && params.mode === "url") return { action: "decline" };
  const form = readForm(params);
  try {
    return { action: "accept", content: { ...(await ask(form, { signal })) } as ElicitResult["content"] };
  } catch (error) {
    return { action: error instanceof ToolError && error.code === "declined" ? "decline" : "cancel" };
  }
}
