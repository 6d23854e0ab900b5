import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
} from "@ai-sdk/provider";
import type { MaybePromise } from "../shared/maybe-promise.ts";

/** What a model said in one answer. */
export interface WatchedAnswer {
  readonly content: readonly AnswerPart[];
  readonly finishReason: string;
}

type AnswerPart =
  | { readonly type: "text" | "reasoning"; readonly text: string }
  | Pick<LanguageModelV4ToolCall, "type" | "toolCallId" | "toolName" | "input">;

interface ModelWatcher {
  /** Before each request; returns the one to send. An error that it throws ends the agent's work. */
  before(request: LanguageModelV4CallOptions): MaybePromise<LanguageModelV4CallOptions>;
  /** After each complete answer, before the agent acts on it, with the request as it was before. */
  after(answer: WatchedAnswer, request: LanguageModelV4CallOptions): MaybePromise<void>;
}

/** A model whose requests and answers a watcher sees first. */
export function watchModel(model: LanguageModelV4, { before, after }: ModelWatcher): LanguageModelV4 {
  return {
    specificationVersion: model.specificationVersion,
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: (request) => model.doGenerate(request),
    async doStream(given) {
      const result = await model.doStream(await before(given));
      return { ...result, stream: result.stream.pipeThrough(tellAtEnd((answer) => after(answer, given))) };
    },
  };
}

function tellAtEnd(
  tell: (answer: WatchedAnswer) => MaybePromise<void>,
): TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart> {
  const content: AnswerPart[] = [];
  const open = new Map<string, { type: "text" | "reasoning"; text: string }>();
  return new TransformStream({
    async transform(part, controller) {
      switch (part.type) {
        case "text-start":
        case "reasoning-start": {
          const type: "text" | "reasoning" = part.type === "text-start" ? "text" : "reasoning";
          const piece = { type, text: "" };
          open.set(part.id, piece);
          content.push(piece);
          break;
        }
        case "text-delta":
        case "reasoning-delta": {
          const piece = open.get(part.id);
          if (piece !== undefined) piece.text += part.delta;
          break;
        }
        case "tool-call": {
          const { toolCallId, toolName, input } = part;
          content.push({ type: "tool-call", toolCallId, toolName, input });
          break;
        }
        case "finish":
          await tell({ content, finishReason: reasonOf(part.finishReason) });
          break;
      }
      controller.enqueue(part);
    },
  });
}

/** The reason's name; older versions of the interface give nothing else. */
function reasonOf(reason: { readonly unified: string } | string): string {
  return typeof reason === "string" ? reason : reason.unified;
}
