import type { Runtime } from "../../../kernel/runtime/index.ts";
import { oneLine } from "../../../shared/text/one-line.ts";

/** The title of a conversation for a list: its first message in one line. Undefined if its first events hold no message. */
export async function readSessionTitle(
  runtime: Pick<Runtime, "remoteSession">,
  id: string,
  depth = 0,
): Promise<string | undefined> {
  const remote = await runtime.remoteSession(id);
  let read = 0;
  for await (const event of remote.events({ channels: ["progress"], signal: AbortSignal.abort() })) {
    if (event.type === "user-message") return oneLine(event.text, maxCharacters);
    // A fork begins with the conversation of another session.
    if (event.type === "conversation-fork" && depth < maxForks)
      return readSessionTitle(runtime, event.from, depth + 1);
    read += 1;
    if (read >= maxEvents) return undefined;
  }
  return undefined;
}

const maxCharacters = 120;
const maxEvents = 50;
const maxForks = 20;
