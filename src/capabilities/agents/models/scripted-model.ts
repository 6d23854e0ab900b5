import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";

/** A scripted model's reply in one step. */
export interface ScriptedStep {
  readonly reasoning?: string;
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  /** Default: `tool-calls` if there are calls, otherwise `stop`. */
  readonly finishReason?: "stop" | "length" | "content-filter" | "tool-calls" | "error" | "other";
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
  /** Thrown instead of a reply. */
  readonly error?: unknown;
}

export interface ScriptedCall {
  readonly name: string;
  /** A string is taken as the arguments' JSON text, as the model wrote it. */
  readonly input?: unknown;
  readonly id?: string;
}

/** All steps in order, or a function that returns each step for a request. */
export type Script =
  | readonly ScriptedStep[]
  | ((
      request: LanguageModelV4CallOptions,
      step: number,
    ) => ScriptedStep | undefined | Promise<ScriptedStep | undefined>);

/** A model that replies from a script, for tests and demonstrations: no network, no key, the same every time. */
export function scriptedModel(script: Script): LanguageModelV4 {
  let step = 0;
  const next = async (request: LanguageModelV4CallOptions): Promise<ScriptedStep> => {
    step += 1;
    const said = typeof script === "function" ? await script(request, step) : script[step - 1];
    if (said === undefined) throw new Error(`the script has no step ${step}`);
    if (said.error !== undefined) throw said.error;
    return said;
  };
  return {
    specificationVersion: "v4",
    provider: "scripted",
    modelId: "script",
    supportedUrls: {},
    async doGenerate(request) {
      const said = await next(request);
      return {
        content: [...contentOf(said, step)],
        finishReason: finishReasonOf(said),
        usage: usageOf(said),
        warnings: [],
      };
    },
    async doStream(request) {
      const said = await next(request);
      return { stream: streamOf(partsOf(said, step)) };
    },
  };
}

function streamOf(parts: readonly LanguageModelV4StreamPart[]): ReadableStream<LanguageModelV4StreamPart> {
  let place = 0;
  return new ReadableStream(
    {
      pull(controller) {
        const part = parts[place];
        place += 1;
        if (part === undefined) controller.close();
        else controller.enqueue(part);
      },
    },
    { highWaterMark: 0 },
  );
}

function partsOf(said: ScriptedStep, step: number): LanguageModelV4StreamPart[] {
  const parts: LanguageModelV4StreamPart[] = [{ type: "stream-start", warnings: [] }];
  for (const part of contentOf(said, step)) {
    if (part.type === "tool-call") {
      parts.push(part);
      continue;
    }
    const id = part.type;
    parts.push({ type: `${part.type}-start`, id });
    for (const delta of part.text.match(/\s*\S+\s*$|\s*\S+/g) ?? [part.text])
      parts.push({ type: `${part.type}-delta`, id, delta });
    parts.push({ type: `${part.type}-end`, id });
  }
  parts.push({ type: "finish", usage: usageOf(said), finishReason: finishReasonOf(said) });
  return parts;
}

type ScriptedContent =
  | { type: "text" | "reasoning"; text: string }
  | { type: "tool-call"; toolCallId: string; toolName: string; input: string };

function* contentOf({ reasoning, text, calls = [] }: ScriptedStep, step: number): Generator<ScriptedContent> {
  if (reasoning !== undefined) yield { type: "reasoning", text: reasoning };
  if (text !== undefined) yield { type: "text", text };
  for (const [index, { name, input = {}, id }] of calls.entries()) {
    const written = typeof input === "string" ? input : JSON.stringify(input);
    yield {
      type: "tool-call",
      toolCallId: id ?? `scripted_${step}_${index + 1}`,
      toolName: name,
      input: written,
    };
  }
}

function finishReasonOf({ finishReason, calls = [] }: ScriptedStep) {
  const unified = finishReason ?? (calls.length > 0 ? "tool-calls" : "stop");
  return { unified, raw: unified };
}

function usageOf({ usage }: ScriptedStep): LanguageModelV4Usage {
  const [input, output] = [usage?.inputTokens, usage?.outputTokens];
  return {
    inputTokens: { total: input, noCache: input, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: output, text: output, reasoning: undefined },
  };
}
