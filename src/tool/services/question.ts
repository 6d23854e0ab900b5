import type { MaybePromise } from "../../shared/maybe-promise.ts";
import { foreign, knownKeys, value } from "../../shared/options/known-keys.ts";
import { type Caller, namedAgent } from "../caller.ts";
import type { FormAnswers, FormFields } from "../forms/form-fields.ts";

/** A question to a person. The answer is a string, or with `fields` an object with a value for each. */
export interface Question {
  readonly text: string;
  /** The answer must be one of these. */
  readonly choices?: readonly string[];
  /** Suggested answer, which the person need only confirm. */
  readonly default?: string;
  /** A form to fill in, instead of a single answer. */
  readonly fields?: FormFields;
  /** How long to wait for the answer. Default: as long as the caller waits. */
  readonly timeoutMs?: number;
  /** Field name, for where the question is shown as a form. */
  readonly name?: string;
}

export const questionKeys = knownKeys<Question>({
  text: value,
  choices: value,
  default: value,
  fields: foreign,
  timeoutMs: value,
  name: value,
});

export type PlainQuestion = Question & { readonly fields?: never };

export interface FormQuestion<Fields extends FormFields = FormFields>
  extends Pick<Question, "text" | "timeoutMs" | "name"> {
  readonly fields: Fields;
}

/** A string, or an object for a question with fields. */
export type Answer = string | FormAnswers;

/** What a person says to a question: an answer, or that they will not give one. */
export type QuestionReply = { readonly by: string } & (
  | { readonly answer: Answer }
  | { readonly declined: true; readonly note?: string }
);

/** Answers a tool's questions to the person. */
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

/** Who asks, in our words. */
export function describeAsker({ caller }: QuestionSource): string {
  return namedAgent(caller) ?? (caller.kind === "agent" ? "The agent" : "A tool");
}
