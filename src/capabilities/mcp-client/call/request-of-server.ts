import { setTimeout as wait } from "node:timers/promises";
import type {
  ElicitResult,
  InputRequiredResult,
  RequestMeta,
  RequestOptions,
} from "@modelcontextprotocol/client";
import { isPlainObject } from "../../../shared/json.ts";
import { traceMeta } from "../../../shared/tracing/traced.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { ClientSdk } from "../connection/load-client-sdk.ts";
import { type Ask, answerElicitation } from "./answer-elicitation.ts";

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
  return {
    ...(hasAnswers && { inputResponses: Object.fromEntries(given) }),
    ...(requestState !== undefined && { requestState }),
  };
}

function notOffered(request: unknown): ToolError {
  const method = isPlainObject(request) ? String(request.method) : "something";
  return new ToolError("tool-failed", `the server asked for ${method.slice(0, 100)}, which is not supported`);
}
