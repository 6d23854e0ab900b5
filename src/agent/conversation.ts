import type { LanguageModelV4 } from "@ai-sdk/provider";
import { Deadline } from "../shared/deadline.ts";
import type { AgentHost } from "./agent-host.ts";
import type { AgentOptions } from "./agent-options.ts";
import type { AgentResult } from "./agent-result.ts";
import type { AgentParts } from "./agent-run.ts";
import { cacheHints, joinProviderOptions } from "./cache-hints.ts";
import { shownImages } from "./models/shown-images.ts";
import { createOffers } from "./offers.ts";
import { rebuildTranscript } from "./rebuild-transcript.ts";
import { runAgent } from "./run-agent.ts";

/** What an agent and its session have in common over many messages. */
export interface Conversation {
  run(message: string | undefined, signal: AbortSignal): Promise<AgentResult>;
  send(message: string): Promise<void>;
}

export async function openConversation(options: AgentOptions, host: AgentHost): Promise<Conversation> {
  const model = await resolveModel(options);
  const parts: AgentParts = {
    host,
    options,
    model,
    providerOptions: joinProviderOptions(cacheHints(host.sessionId), options.providerOptions),
    offer: createOffers(options, host),
    transcript: await rebuildTranscript(host.readLog(), {
      imageTypes: shownImages(model),
      readBytes: host.readBytes,
    }),
    inbox: [],
    window: { charactersPerToken: 4, maxSize: Number.POSITIVE_INFINITY },
  };
  return {
    run: (message, signal) => takeTurn(parts, message, signal),
    async send(message) {
      const written = host.log.append([{ type: "user-message", text: host.redactor.text(message) }]);
      // In the same moment, so that the model reads everything in the order of the log.
      parts.inbox.push(message);
      await written;
    },
  };
}

async function resolveModel({ model, baseUrl }: AgentOptions): Promise<LanguageModelV4> {
  if (typeof model !== "string") return model;
  const { findModel } = await import("./models/find-model.ts");
  return findModel(model, { ...(baseUrl !== undefined && { baseUrl }) });
}

/** Holds the session's turn while it works; when the session closes, the work is ended first. */
async function takeTurn(
  parts: AgentParts,
  message: string | undefined,
  signal: AbortSignal,
): Promise<AgentResult> {
  const { turn, openCalls } = parts.host;
  if (openCalls.isClosed) throw new Error("the session is closed");
  if (turn.isTaken) throw new Error("another agent is working in this session");
  const said = message ?? goOnMessage(parts);
  turn.isTaken = true;
  const deadline = new Deadline(signal);
  openCalls.add(deadline);
  try {
    return await runAgent(parts, said, deadline.signal);
  } finally {
    deadline.close();
    openCalls.delete(deadline);
    turn.isTaken = false;
  }
}

/** To go on without a message, the model must have the next word, or have been stopped in the middle of its own. */
function goOnMessage({ transcript, inbox }: AgentParts): string | undefined {
  if (transcript.isModelsTurn || inbox.length > 0) return undefined;
  if (transcript.isBrokenOff) return "Go on where you stopped.";
  throw new Error("there is nothing to go on with; give the agent a message");
}
