import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as wait } from "node:timers/promises";
import type {
  ElicitResult,
  InputRequiredResult,
  RequestMeta,
  RequestOptions,
} from "@modelcontextprotocol/client";
import { isPlainObject } from "../../../shared/json.ts";
import { createLock } from "../../../shared/lock.ts";
import { defined } from "../../../shared/options/defined.ts";
import { traceMeta } from "../../../shared/tracing/traced.ts";
import type { FormAnswers } from "../../../tool/forms/form-fields.ts";
import type { FormQuestion } from "../../../tool/services/question.ts";
import type { AskOptions, ToolContext } from "../../../tool/tool-context.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { ClientSdk } from "../connection/load-client-sdk.ts";
import { readForm } from "./read-form.ts";

/** Asks a call's person. */
export type Ask = (form: FormQuestion, options: Required<AskOptions>) => Promise<FormAnswers>;

/** Passes a server's question to the call's person. The server does not learn why there is no answer. */
export async function answerElicitation(
  params: unknown,
  { ask, signal }: { ask: Ask; signal: AbortSignal },
): Promise<ElicitResult> {
  // There is no way to check where a URL leads.
  if (isPlainObject(params) && params.mode === "url") return { action: "decline" };
  const form = readForm(params);
  try {
    return { action: "accept", content: { ...(await ask(form, { signal })) } as ElicitResult["content"] };
  } catch (error) {
    return { action: error instanceof ToolError && error.code === "declined" ? "decline" : "cancel" };
  }
}

/** Asks a call's person on behalf of a server: one question at a time, and only so many. */
export function askForServer(server: string, { ask }: Pick<ToolContext, "ask">): Ask {
  const oneAtATime = createLock();
  let questions = 0;
  return ({ text, ...form }, { signal }) =>
    oneAtATime(async () => {
      signal.throwIfAborted();
      questions += 1;
      const why = `the MCP server ${server} asked more than ${maxQuestions} questions`;
      if (questions > maxQuestions) throw new ToolError("nobody-to-ask", why);
      // The person must see who asks.
      return ask({ ...form, text: `The MCP server ${server} asks:\n${text}` }, { signal });
    });
}

const maxQuestions = 100;

/** Finds the call that a server's question belongs to, which older protocols do not say. */
export function createAskingCalls() {
  const open = new Set<{ readonly ask: Ask }>();
  // Over HTTP, a question arrives in its call's stream, which is read in the call's async context.
  const own = new AsyncLocalStorage<{ readonly ask: Ask }>();
  return {
    async during<Result>(ask: Ask, work: () => Promise<Result>): Promise<Result> {
      const call = { ask };
      open.add(call);
      try {
        return await own.run(call, work);
      } finally {
        open.delete(call);
      }
    },
    /** Throws if the call is not certain, since another call's person might be asked. */
    current(): Ask {
      const call = own.getStore() ?? (open.size === 1 ? [...open][0] : undefined);
      if (call !== undefined && open.has(call)) return call.ask;
      const why =
        open.size === 0 ? "no call is running" : "several calls are running, and it does not name one";
      throw new Error(`the question does not belong to a call: ${why}`);
    },
  };
}

type Params = Readonly<Record<string, unknown>>;

/** Sends a request and answers the server's questions until it returns the result. */
export async function requestOfServer<Result extends object>(
  send: (params: Params, options: RequestOptions) => Promise<Result | InputRequiredResult>,
  params: Params & { readonly _meta?: RequestMeta },
  use: { options: RequestOptions; signal: AbortSignal; ask: Ask; sdk: ClientSdk },
): Promise<Result> {
  const { signal, sdk } = use;
  // Done here, because the SDK does not tell its handlers which call a question belongs to.
  const options = { ...use.options, signal, allowInputRequired: true };
  const trace = await traceMeta();
  const traceable =
    Object.keys(trace).length === 0 ? params : { ...params, _meta: { ...params._meta, ...trace } };
  let answers: Answers = {};
  for (let round = 0; round <= maxRounds; round += 1) {
    const result = await send({ ...traceable, ...answers }, options);
    if (!sdk.isInputRequiredResult(result)) return result as Result;
    answers = await answer(result, use);
  }
  throw new ToolError("tool-failed", `the server kept asking after ${maxRounds} rounds of answers`);
}

const maxRounds = 50;
const pauseMs = 250;

interface Answers {
  readonly inputResponses?: Readonly<Record<string, ElicitResult>>;
  readonly requestState?: string;
}

/** Asks one question after the other, as a person answers. */
async function answer(
  { inputRequests = {}, requestState }: InputRequiredResult,
  { ask, signal }: { ask: Ask; signal: AbortSignal },
): Promise<Answers> {
  const given: [string, ElicitResult][] = [];
  for (const [key, request] of Object.entries(inputRequests)) {
    if (!isPlainObject(request) || request.method !== "elicitation/create") throw notOffered(request);
    given.push([key, await answerElicitation(request.params, { ask, signal })]);
  }
  const hasAnswers = given.length > 0;
  // A server without questions wants the call repeated later.
  if (!hasAnswers) await wait(pauseMs, undefined, { signal });
  return defined({ inputResponses: hasAnswers ? Object.fromEntries(given) : undefined, requestState });
}

function notOffered(request: unknown): ToolError {
  const method = isPlainObject(request) ? String(request.method) : "something";
  return new ToolError("tool-failed", `the server asked for ${method.slice(0, 100)}, which is not supported`);
}
