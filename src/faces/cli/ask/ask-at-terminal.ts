import { markRows, ownRows } from "../../../shared/text/mark-rows.ts";
import type { FieldValue, FormFields } from "../../../tool/forms/form-fields.ts";
import {
  type Answer,
  describeAsker,
  type Question,
  type QuestionSource,
} from "../../../tool/services/question.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { askField, unansweredError } from "./ask-field.ts";
import { readAnswer } from "./read-answer.ts";
import { screenColumns } from "./screen-columns.ts";
import { areTooMany, showRows } from "./show-rows.ts";

/** Asks a tool's question on the terminal, field by field, until every answer is valid or the person leaves. */
export async function askAtTerminal(
  question: Question,
  signal: AbortSignal,
  from: QuestionSource,
): Promise<Answer> {
  // Who asks is said in our words, and every row of theirs is marked: a question cannot pass for a request of ours.
  const asker = `${describeAsker(from)} asks:`;
  const columns = screenColumns();
  const rows = [...ownRows(asker, columns), ...markRows(question.text, columns)];
  if ((await showRows(rows, signal)) !== "shown") throw unansweredError();
  if (areTooMany(rows))
    process.stderr.write(`${ownRows(`${asker} (${rows.length} rows, from the top)`, columns).join("\n")}\n`);
  if (question.fields !== undefined) return askForm(question.fields, signal);
  const { choices = [], default: suggested } = question;
  const field = {
    type: "string",
    ...(choices.length > 0 ? { enum: choices } : { required: false }),
    ...(suggested !== undefined && { default: suggested }),
  } as const;
  // An empty answer is an answer too.
  return String((await askField(field, { signal })) ?? "");
}

async function askForm(fields: FormFields, signal: AbortSignal): Promise<Answer> {
  const entries = Object.entries(fields);
  if (entries.length === 0) await askConsent(signal);
  const answers: [string, FieldValue][] = [];
  for (const [name, field] of entries) {
    const value = await askField(field, { name, signal });
    if (value !== undefined) answers.push([name, value]);
  }
  return Object.fromEntries(answers);
}

/** A form without fields asks for a yes. */
async function askConsent(signal: AbortSignal): Promise<void> {
  const typed = await readAnswer("Agree? [y/N] ", signal);
  if (typed === undefined) throw unansweredError();
  if (/^(?:y|yes)$/i.test(typed.trim())) return;
  throw new ToolError("declined", "the person did not agree", {
    hint: "Continue without it, or say what you need.",
  });
}
