import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { TokenUsage } from "../runtime/events/agent-event.ts";
import type { ProcessIdentity } from "../shared/process-identity.ts";
import type { AgentHost } from "./agent-host.ts";
import type { AgentOptions } from "./agent-options.ts";
import type { TokenMeter } from "./context/token-meter.ts";
import type { Inbox } from "./inbox.ts";
import type { Offer } from "./offers.ts";
import type { Transcript } from "./transcript/transcript.ts";

/** What stays the same from message to message, and the conversation itself. */
export interface AgentParts {
  readonly host: AgentHost;
  readonly options: AgentOptions;
  readonly model: LanguageModelV4;
  readonly providerOptions: NonNullable<AgentOptions["providerOptions"]>;
  /** What the model is told of its tools now. */
  readonly offer: () => Offer;
  transcript: Transcript;
  readonly inbox: Inbox;
  readonly window: ContextWindow;
  readonly own: LogCursor;
}

/** How much the model takes in, as far as that has turned out. */
interface ContextWindow {
  charactersPerToken: number;
  /** What the model's provider has refused as too long sets this. */
  maxSize: number;
}

/** What an agent has put into the log since it last looked there, to be told from what others have. */
export interface LogCursor {
  /** Up to where it has looked. */
  since: number;
  /** Its last message's work. */
  runId: string;
  messages: number;
  /** By its id, the work that others had begun and not ended. */
  readonly others: Map<string, ProcessIdentity | undefined>;
}

/** One message's work, from the message to the end. */
export interface AgentRun extends AgentParts {
  readonly runId: string;
  readonly signal: AbortSignal;
  readonly meter: TokenMeter;
  /** What the model is offered in this step. */
  offered: Offer;
  steps: number;
  usage: TokenUsage;
  /** What the model said last. */
  text: string;
}
