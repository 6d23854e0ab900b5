import { foreign, knownKeys, mapOf, value } from "../shared/options/known-keys.ts";
import type { Answer, Question } from "../tool/services/question.ts";

export interface TestOptions {
  /** A folder that exists; without one, using files fails. */
  readonly workspace?: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly taskVariables?: Readonly<Record<string, unknown>>;
  /** Answers the tool's questions; without it no person can be asked. */
  readonly answers?: (question: Question) => Answer;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** The limit that the tool reads as `context.maxOutputCharacters`. Default: no limit. */
  readonly maxOutputCharacters?: number;
}

export const testKeys = knownKeys<TestOptions>({
  workspace: value,
  variables: mapOf(foreign),
  taskVariables: mapOf(foreign),
  answers: value,
  signal: foreign,
  timeoutMs: value,
  maxOutputCharacters: value,
});
