import { defined } from "../../../shared/options/defined.ts";
import { escapeLine } from "../../../shared/text/escape-controls.ts";
import { lineMark, markRows, ownRows } from "../../../shared/text/mark-rows.ts";
import { oneLine } from "../../../shared/text/one-line.ts";
import { showLookAlikes } from "../../../shared/text/show-look-alikes.ts";
import { createFormCheck } from "../../../tool/forms/form-check.ts";
import {
  choicesOf,
  type FieldChoice,
  type FieldValue,
  type FormField,
  type FormFields,
  isRequired,
} from "../../../tool/forms/form-fields.ts";
import {
  type Answer,
  describeAsker,
  type Question,
  type QuestionSource,
} from "../../../tool/services/question.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { screenColumns } from "../display/format-columns.ts";
import { isYes, readAnswer } from "./read-answer.ts";
import { areTooMany, showRows } from "./show-rows.ts";

/** Asks a tool's question on the terminal, field by field, until every answer is valid or the person leaves. */
export async function askAtTerminal(
  question: Question,
  signal: AbortSignal,
  from: QuestionSource,
): Promise<Answer> {
  // We name the asker in our words, and mark every row of the question: it cannot pass for a request of ours.
  const asker = `${describeAsker(from)} asks:`;
  const columns = screenColumns();
  const rows = [...ownRows(asker, columns), ...markRows(question.text, columns)];
  if ((await showRows(rows, signal)) !== "shown") throw unansweredError();
  if (areTooMany(rows))
    process.stderr.write(`${ownRows(`${asker} (${rows.length} rows, from the top)`, columns).join("\n")}\n`);
  if (question.fields !== undefined) return askForm(question.fields, signal);
  const { choices = [], default: suggested } = question;
  const text = { type: "string", ...defined({ default: suggested }) } as const;
  const field = choices.length > 0 ? { ...text, enum: choices } : { ...text, required: false };
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
  if (isYes(typed)) return;
  throw new ToolError("declined", "the person did not agree", {
    hint: "Continue without it, or say what you need.",
  });
}

/** Asks for one value until it is valid. An empty line takes the default, or skips the field if it is optional. */
async function askField(
  field: FormField,
  { name, signal }: { name?: string; signal: AbortSignal },
): Promise<FieldValue | undefined> {
  const choices = choicesOf(field) ?? [];
  const numbered = choices.map(({ title }, index) => numberedRows(index + 1, title));
  const heading = name === undefined ? "" : headingOf(name, field);
  process.stderr.write(`${heading}${numbered.join("")}${longSuggestion(field)}`);
  const { default: suggested, ...typedField } = field;
  const check = createFormCheck({ value: typedField });
  for (;;) {
    const answer = await readAnswer(promptOf(field, { isPartOfForm: name !== undefined }), signal);
    if (answer === undefined) throw unansweredError();
    const typed = answer.trim();
    if (typed === "" && (suggested !== undefined || !isRequired(field))) return suggested;
    const value = toValue(typed, field, choices);
    const validation = value === undefined ? undefined : check({ value });
    if (validation?.ok) return value;
    const problems = validation?.issues.map(({ expected }) => `The answer must be ${expected}.`) ?? [
      notUnderstood(typed, field, choices),
    ];
    process.stderr.write(`${escapeLine(problems.join(" "))}\n`);
  }
}

function unansweredError(): ToolError {
  return new ToolError("nobody-to-ask", "the person did not answer the question", {
    hint: "Continue without the answer, or say what you need.",
  });
}

/** The rows of a choice, of which only the first begins with its number. */
function numberedRows(number: number, title: string): string {
  const [first = "", ...others] = markRows(title, screenColumns() - numberColumns);
  return [`  ${number}. ${first.slice(lineMark.length)}`, ...others].map((row) => `${row}\n`).join("");
}

const numberColumns = 4;

function headingOf(name: string, { title = name, description }: FormField): string {
  const text = `${title}${description === undefined ? "" : ` (${description})`}`;
  return `\n${markRows(text, screenColumns()).join("\n")}\n`;
}

function promptOf(field: FormField, { isPartOfForm }: { isPartOfForm: boolean }): string {
  const isOptional = isPartOfForm && field.default === undefined && !isRequired(field);
  const suggested = field.default === undefined ? "" : ` [${shortSuggestion(field)}]`;
  return `${wantedOf(field)}${isOptional ? ", or Enter to skip" : ""}${suggested}: `;
}

function shortSuggestion(field: FormField): string {
  return showLookAlikes(oneLine(suggestionOf(field), maxSuggested));
}

/** Shows in full a suggestion that the prompt cuts: a person who takes it by pressing Enter must have seen all of it. */
function longSuggestion(field: FormField): string {
  if (field.default === undefined) return "";
  const suggestion = suggestionOf(field);
  if (shortSuggestion(field) === suggestion) return "";
  return `Enter alone answers:\n${markRows(suggestion, screenColumns()).join("\n")}\n`;
}

/** A longer suggestion could fill the row and go on in the next. */
const maxSuggested = 40;

function wantedOf(field: FormField): string {
  const choices = choicesOf(field);
  if (choices !== undefined) {
    return `1-${choices.length}${field.type === "array" ? ", separated by commas" : ""}`;
  }
  return wantedTypes.get(field.type) ?? "Answer";
}

const wantedTypes = new Map<string, string>([
  ["boolean", "y/n"],
  ["integer", "Whole number"],
  ["number", "Number"],
]);

function suggestionOf(field: FormField): string {
  const { default: suggested } = field;
  if (typeof suggested === "boolean") return suggested ? "y" : "n";
  const choices = choicesOf(field) ?? [];
  const titleOf = (value: string) => choices.find((choice) => choice.value === value)?.title ?? value;
  return (Array.isArray(suggested) ? suggested : [suggested]).map((each) => titleOf(String(each))).join(", ");
}

/** The value that a person means by a typed text; undefined if it cannot be told. */
function toValue(typed: string, field: FormField, choices: readonly FieldChoice[]): FieldValue | undefined {
  switch (field.type) {
    case "boolean":
      return /^(?:y|yes|true)$/i.test(typed) ? true : /^(?:n|no|false)$/i.test(typed) ? false : undefined;
    case "number":
    case "integer":
      return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(typed) ? Number(typed) : undefined;
    case "array": {
      const chosen = typed.split(",").map((each) => findChoice(each.trim(), choices));
      return chosen.every((each) => each !== undefined) ? [...new Set(chosen)] : undefined;
    }
    default:
      return choices.length === 0 ? typed || undefined : findChoice(typed, choices);
  }
}

function findChoice(typed: string, choices: readonly FieldChoice[]): string | undefined {
  const isMeant = (text: string) => text.toLowerCase() === typed.toLowerCase();
  const named = choices.find(({ title, value }) => isMeant(title) || isMeant(value));
  const number = /^\d+$/.test(typed) ? Number(typed) : 0;
  return (named ?? choices[number - 1])?.value;
}

function notUnderstood(typed: string, { type }: FormField, choices: readonly FieldChoice[]): string {
  if (choices.length > 0) return "Type the number or the text of one of the choices.";
  if (typed === "") return "An answer is required.";
  return type === "boolean" ? "Type y or n." : "That is not a number.";
}
