import { isPlainObject } from "../../shared/json.ts";
import { defined } from "../../shared/options/defined.ts";
import { escapeLine } from "../../shared/text/escape-controls.ts";
import { markRows, ownRows } from "../../shared/text/mark-rows.ts";
import { choicesOf, type FormField, isRequired } from "../../tool/forms/form-fields.ts";
import { type Answer, describeAsker, type QuestionReply } from "../../tool/services/question.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { createAnswerCheck, type QuestionRequest, questionNotWaiting } from "./questions.ts";
import type { AnswerMarks, RequestMarks } from "./waiting-records.ts";
import type { RequestKind } from "./waiting-requests.ts";

/** Questions of tools that wait for an answer. */
export const questionKind: RequestKind<QuestionRequest, QuestionReply> = {
  name: "question",
  takes: "answer",
  requests: { scope: "questions", isValue: isQuestion },
  answers: { scope: "kept-replies", owner: "store", isValue: isReply },
  isHeld: false,
  leftNote: "no process waits for it, and the answer is used when it is asked again",
  command: (id) => `answer question:${id} ANSWER`,
  missing: questionNotWaiting,
  mask: (request, redactor) => redactor.value(request) as QuestionRequest,
  show: (question, columns = defaultColumns) => ({ text: formatQuestion(question, columns), question }),

  store: (reply) => ({ reply }),
  read: (stored) => (stored as StoredReply).reply,

  accept(said, { request }, { caller, mask }) {
    const by = caller.name;
    if ("answer" in said) {
      const answer = createAnswerCheck(request.question)(said.answer);
      refuseSecrets(answer, mask);
      return { answer, by };
    }
    const { decision, note, lasts, stop } = said;
    if (decision === "allow")
      throw new TypeError(
        "a question takes an answer: `toolwright answer ID ANSWER`, or `deny` to give none",
      );
    if (lasts !== undefined || stop)
      throw new TypeError(
        "a question can only be declined once: declining cannot last, and cannot stop other calls",
      );
    return { declined: true, by, ...defined({ note: note && mask(note) }) };
  },
  message: (questionId, reply) => ({ kind: "reply", questionId, reply }),
};

const defaultColumns = 80;

interface StoredReply extends AnswerMarks {
  readonly reply: QuestionReply;
}

/** Whether a stored value is a question: another version may have written to the store. */
function isQuestion(value: unknown): value is QuestionRequest & RequestMarks {
  return (
    isPlainObject(value) &&
    typeof value.id === "string" &&
    typeof value.key === "string" &&
    typeof value.sessionId === "string" &&
    typeof value.requestedAt === "string" &&
    isPlainObject(value.caller) &&
    isPlainObject(value.question) &&
    typeof value.question.text === "string"
  );
}

function isReply(value: unknown): value is StoredReply {
  return (
    isPlainObject(value) &&
    typeof value.at === "string" &&
    isPlainObject(value.reply) &&
    typeof value.reply.by === "string" &&
    ("answer" in value.reply || value.reply.declined === true)
  );
}

/** The answer is written to the store, where secrets must not be; masked, it would be another answer. */
function refuseSecrets(answer: Answer, mask: (text: string) => string): void {
  const texts = typeof answer === "string" ? [answer] : Object.values(answer).flat().map(String);
  if (texts.every((text) => mask(text) === text)) return;
  throw new ToolError("invalid-input", "the answer contains a secret, which would be written to the store", {
    hint: "Answer where the question is asked.",
  });
}

/**
 * Names the asker in Toolwright's words and marks every row of the question, so that it cannot pass for a text of
 * Toolwright.
 */
function formatQuestion({ question, ...source }: QuestionRequest, columns: number): string {
  const { text, choices = [], default: suggested, fields } = question;
  const asker = `${escapeLine(describeAsker(source))} asks:`;
  const rows = [...ownRows(asker, columns), ...markRows(text, columns)];
  const add = (about: string, texts: readonly string[]) =>
    texts.length > 0 && rows.push(about, ...texts.flatMap((each) => markRows(each, columns)));
  add("The answer is one of:", choices);
  add("Suggested:", suggested === undefined ? [] : [suggested]);
  if (fields !== undefined)
    add("The answer is a JSON object with:", Object.entries(fields).map(describeField));
  return rows.join("\n");
}

function describeField([name, field]: readonly [string, FormField]): string {
  const { type, title, description, default: suggested } = field;
  const choices = choicesOf(field)?.map(({ value }) => JSON.stringify(value));
  const about = joinKnown(", ", [
    `${JSON.stringify(name)}: ${type === "array" ? "list" : type}`,
    isRequired(field) ? undefined : "optional",
    choices && `of ${choices.join(", ")}`,
    suggested === undefined ? undefined : `default ${JSON.stringify(suggested)}`,
  ]);
  const words = joinKnown("; ", [title, description]);
  return words === "" ? about : `${about} (${words})`;
}

function joinKnown(separator: string, texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined).join(separator);
}
