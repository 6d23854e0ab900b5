import type { LanguageModelV4 } from "@ai-sdk/provider";
import { watchModel } from "../watch-model.ts";
import { answerToKode, type KodeMessage, toKodeMessages } from "./kode-messages.ts";
import type { KodeHooks } from "./kode-types.ts";

/**
 * KODE's hooks around the model, for `wrapModel` of an agent; undefined if there are none. What `preModel` changes in
 * the messages is sent, and the log keeps what was said.
 */
export function kodeModelHooks(
  all: readonly (KodeHooks | undefined)[],
): ((model: LanguageModelV4, agent: { readonly sessionId: string }) => LanguageModelV4) | undefined {
  const hooks = all.filter((each) => each !== undefined);
  const isWatching = hooks.some((each) => each.preModel ?? each.postModel ?? each.messagesChanged);
  if (!isWatching) return undefined;
  return (model, { sessionId: agentId }) => {
    let told = -1;
    const tellChange = async (messages: readonly KodeMessage[]) => {
      if (messages.length === told) return;
      told = messages.length;
      for (const { messagesChanged } of hooks)
        await messagesChanged?.({ agentId, messages: structuredClone(messages) as KodeMessage[] });
    };
    return watchModel(model, {
      async before(request) {
        const { messages, back } = toKodeMessages(request.prompt);
        await tellChange(messages);
        for (const { preModel } of hooks) await preModel?.(messages);
        return { ...request, prompt: back() };
      },
      async after(answer, { prompt }) {
        const said = answerToKode(answer);
        for (const { postModel } of hooks) await postModel?.(structuredClone(said));
        await tellChange([...toKodeMessages(prompt).messages, said]);
      },
    });
  };
}
