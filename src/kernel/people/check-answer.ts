import { refuseUnknownKeys } from "../../shared/options/refuse-unknown-keys.ts";
import { createFormCheck } from "../../tool/forms/form-check.ts";
import { type Answer, type Question, questionKeys } from "../../tool/services/question.ts";
import { ToolError } from "../../tool/tool-error.ts";

/**
 * Creates a check for the answer to a question: it comes from outside, so it may be missing or invalid. Throws
 * immediately for an invalid question.
 */
export function createAnswerCheck(question: Question): (given: unknown) => Answer {
  refuseUnknownKeys(question, questionKeys, "a question");
  const { text, choices = [], fields } = question;
  if (!isText(text)) throw new TypeError("a question's text must be a string");
  if (!Array.isArray(choices) || !choices.every(isText))
    throw new TypeError("a question's choices must be an array of strings");
  const check = fields === undefined ? (given: unknown) => fitChoice(given, choices) : fitForm(fields);
  return (given) => {
    if (given === undefined || given === null) throw nobodyToAsk("no answer was given");
    return check(given);
  };
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function fitChoice(given: unknown, choices: readonly string[]): string {
  if (typeof given === "object")
    throw new ToolError("no-match", "the answer is an object, but the question asked for text");
  const answer = String(given);
  if (choices.length === 0) return answer;
  const meant = answer.trim().toLowerCase();
  const isMeant = (choice: string) => choice.toLowerCase() === meant;
  const choice = choices.find((each) => each === answer) ?? choices.find(isMeant);
  if (choice !== undefined) return choice;
  throw new ToolError(
    "no-match",
    `the answer ${JSON.stringify(answer)} is not one of ${choices.join(", ")}`,
    {
      hint: "Ask again, or ask without choices.",
      retryable: true,
    },
  );
}

function fitForm(fields: NonNullable<Question["fields"]>): (given: unknown) => Answer {
  const check = createFormCheck(fields);
  return (given) => {
    const validation = check(given);
    if (validation.ok) return validation.value;
    const problems = validation.issues.map(({ message }) => message).join("; ");
    throw new ToolError("no-match", `the answer does not match the form: ${problems}`, {
      hint: "Ask again, or ask for less.",
      retryable: true,
    });
  };
}

/** `howToAnswer`: the command with which a person can answer later. */
export function nobodyToAsk(message: string, howToAnswer?: string): ToolError {
  const later =
    howToAnswer === undefined
      ? ""
      : ` A person can answer with \`${howToAnswer}\`; asked again, the same question then gets that answer.`;
  return new ToolError("nobody-to-ask", message, {
    hint: `Continue without the answer, or say what you need to know.${later}`,
  });
}
