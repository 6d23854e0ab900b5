import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { type ScriptedStep, scriptedModel } from "../../../../src/capabilities/agents/index.ts";

type Step = ScriptedStep | ((request: LanguageModelV4CallOptions) => ScriptedStep | Promise<ScriptedStep>);

/**
 * One model for an agent and those it spawns: what each of them is told is found by a word of its first message.
 * `requests` has what they were asked, by the same word.
 */
export function familyModel(scripts: Readonly<Record<string, readonly Step[]>>): {
  readonly model: LanguageModelV4;
  readonly requests: Readonly<Record<string, LanguageModelV4CallOptions[]>>;
} {
  const requests = Object.fromEntries(
    Object.keys(scripts).map((word) => [word, [] as LanguageModelV4CallOptions[]]),
  );
  const model = scriptedModel(async (request) => {
    const word = Object.keys(scripts).find((each) => firstMessageOf(request).includes(each));
    if (word === undefined) throw new Error(`nobody is told ${firstMessageOf(request)}`);
    const { abortSignal: _, ...rest } = request;
    requests[word]!.push(structuredClone(rest));
    const step = scripts[word]![requests[word]!.length - 1];
    return typeof step === "function" ? step(request) : step;
  });
  return { model, requests };
}

function firstMessageOf({ prompt }: LanguageModelV4CallOptions): string {
  return JSON.stringify(prompt.find(({ role }) => role === "user")?.content ?? "");
}
