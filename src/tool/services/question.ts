import type { MaybePromise } from "../../shared/maybe-promise.ts";
import { type Caller, namedAgent } from "../caller.ts";
import type { FormAnswers, FormFields } from "../forms/form-fields.ts";

/** What a person is asked: for one text, or, where there are fields, for an object with a value for each. */
export interface Question {
  readonly text: string;
  /** The answer is one of these. */
  readonly choices?: readonly string[];
  /** What the person need only confirm. */
  readonly default?: string;
  /** What the person fills in, instead of one answer. */
  readonly fields?: FormFields;
  /** How long the answer is waited for; as long as the caller waits unless told. */
  readonly timeoutMs?: number;
  /** What is asked for, in a word, for where the question becomes a field of a form. */
  readonly name?: string;
}

export type PlainQuestion = Question & { readonly fields?: never };

export interface FormQuestion<Fields extends FormFields = FormFields>
  extends Pick<Question, "text" | "timeoutMs" | "name"> {
  readonly fields: Fields;
}

/** A text for a question, an object for one with fields. */
export type Answer = string | FormAnswers;

/** Answers what a tool asks the person. */
export type QuestionHandler = (
  question: Question,
  signal: AbortSignal,
  from: QuestionSource,
) => MaybePromise<Answer>;

/** Where a question comes from. */
export interface QuestionSource {
  readonly callId: string;
  readonly sessionId: string;
  readonly caller: Caller;
}

/** The question as a person reads it who hears of several agents. */
export function withAsker(question: Question, { caller }: QuestionSource): Question {
  const name = namedAgent(caller);
  return name === undefined ? question : { ...question, text: `${name} asks: ${question.text}` };
}
