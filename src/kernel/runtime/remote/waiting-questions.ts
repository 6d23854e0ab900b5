import { escapeLine } from "../../../shared/text/escape-controls.ts";
import { markRows, ownRows } from "../../../shared/text/mark-rows.ts";
import { choicesOf } from "../../../tool/forms/field-choices.ts";
import type { FormField } from "../../../tool/forms/form-fields.ts";
import { isRequired } from "../../../tool/forms/form-schema.ts";
import { type Answer, describeAsker, type QuestionReply } from "../../../tool/services/question.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { createAnswerCheck } from "../../people/check-answer.ts";
import { notAsked } from "../../people/question-queue.ts";
import {
  answerLeftQuestion,
  listQuestions,
  type QuestionRequest,
  type WaitingQuestion,
} from "../../people/question-records.ts";
import type { WaitingKind } from "../../people/waiting-list.ts";
import { openRemoteSession, type RemoteParts } from "./open-remote-session.ts";

/** The questions of tools that wait for an answer, in every session and process of a store. */
export function waitingQuestions(parts: RemoteParts): WaitingKind {
  const { store, redactor } = parts;
  const mask = redactor.text;
  const reply = async (id: string, make: (found: WaitingQuestion) => Unsigned): Promise<void> => {
    const found = (await listQuestions(store)).find(({ request }) => idOf(request) === id);
    if (found === undefined) throw notAsked(id);
    const made = make(found);
    if (!found.isLeft) return (await openRemoteSession(parts, found.askedIn)).reply(found.request.id, made);
    const signed: QuestionReply = { ...made, by: parts.caller.name };
    if (!(await answerLeftQuestion(store, found, signed))) throw notAsked(id);
  };
  return {
    prefix: "question:",
    async list({ columns = defaultColumns } = {}) {
      return (await listQuestions(store)).map(({ request, isLeft }) => ({
        id: idOf(request),
        title: `question in session ${escapeLine(request.sessionId)}${isLeft ? leftNote : ""}`,
        text: formatQuestion(request, columns),
        question: request,
      }));
    },
    async decide(id, decision, { note, lasts, stop }) {
      if (decision === "allow")
        throw new TypeError(
          "a question takes an answer: `toolwright answer ID ANSWER`, or `deny` to give none",
        );
      if (lasts !== undefined || stop)
        throw new TypeError(
          "a question can only be declined once: declining cannot last, and cannot stop other calls",
        );
      await reply(id, () => ({ declined: true, ...(note !== undefined && { note: mask(note) }) }));
    },
    async answer(id, given) {
      await reply(id, ({ request }) => {
        const answer = createAnswerCheck(request.question)(given);
        refuseSecrets(answer, mask);
        return { answer };
      });
    },
  };
}

type Unsigned = { readonly answer: Answer } | { readonly declined: true; readonly note?: string };

function idOf({ id }: QuestionRequest): string {
  return `question:${id}`;
}

const leftNote = "; nobody waits for it, and the answer is used when it is asked again";
const defaultColumns = 80;

/** The answer is written to the store, where secrets must not be; masked, it would be another answer. */
function refuseSecrets(answer: Answer, mask: (text: string) => string): void {
  const texts = typeof answer === "string" ? [answer] : Object.values(answer).flat().map(String);
  if (texts.every((text) => mask(text) === text)) return;
  throw new ToolError("invalid-input", "the answer contains a secret, which would be written to the store", {
    hint: "Answer where the question is asked.",
  });
}

/** Who asks is said in our words, and every row of theirs is marked: a question cannot pass for something of ours. */
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
  const about = [
    `${JSON.stringify(name)}: ${type === "array" ? "list" : type}`,
    ...(isRequired(field) ? [] : ["optional"]),
    ...(choices === undefined ? [] : [`of ${choices.join(", ")}`]),
    ...(suggested === undefined ? [] : [`default ${JSON.stringify(suggested)}`]),
  ].join(", ");
  const words = [title, description].filter((word) => word !== undefined);
  return words.length === 0 ? about : `${about} (${words.join("; ")})`;
}
