import type { LoggedEvent } from "../../../../kernel/events/index.ts";
import { createRedactor } from "../../../../shared/secrets/redact.ts";

/** A message or a call of a conversation, as it is exported. */
export type ConversationItem =
  | { readonly kind: "user" | "assistant"; readonly text: string }
  | {
      readonly kind: "call";
      readonly name: string;
      readonly status: string;
      readonly input: string;
      readonly output: string;
    };

/**
 * Yields the messages and calls of a conversation, in order. The log masks secrets that were known at the time; text that
 * looks like a secret is masked once more.
 */
export async function* conversationItems(
  events: AsyncIterable<LoggedEvent>,
): AsyncGenerator<ConversationItem, void, void> {
  const { text: mask } = createRedactor();
  const own = new Set<string>();
  for await (const event of events) {
    if (event.type === "user-message") yield { kind: "user", text: mask(event.text) };
    if (event.type === "assistant-message")
      for (const part of event.content) {
        if (part.type === "tool-call") own.add(part.callId);
        if (part.type === "text" && part.text.trim() !== "")
          yield { kind: "assistant", text: mask(part.text) };
      }
    if (event.type !== "call-end" || !own.delete(event.callId)) continue;
    const { receipt, text, error } = event;
    yield {
      kind: "call",
      name: receipt.calledAs ?? receipt.tool,
      status: receipt.status,
      input: mask(JSON.stringify(receipt.input, null, 2) ?? ""),
      output: mask(error?.message ?? text),
    };
  }
}
