import type { PresentedTool } from "../runtime/dialects/dialect-view.ts";
import type { LoggedEvent } from "../runtime/events/session-event.ts";
import type { CallRequest, CallResult } from "../runtime/pipeline/call.ts";
import type { OpenCalls } from "../runtime/sessions/open-calls.ts";
import type { SessionLog } from "../runtime/sessions/session-log.ts";
import type { Redactor } from "../shared/secrets/redact.ts";
import type { TokenMeter } from "./context/token-meter.ts";

/** What an agent needs of the session it works in. */
export interface AgentHost {
  readonly sessionId: string;
  /** By which providers know prompts that begin alike. */
  readonly cacheKey: string;
  readonly workspace: string;
  readonly log: SessionLog;
  readonly redactor: Redactor;
  /** Work that the session ends, and waits for, when it closes. */
  readonly openCalls: OpenCalls;
  /** Whose turn it is: a session is one conversation, so one agent at a time works in it. */
  readonly turn: { isTaken: boolean };
  /** The tools that the model is offered now, always in the same order; what is new comes last. */
  activeTools(): readonly PresentedTool[];
  /** How to use them, longer than their descriptions; what is new comes last here too. */
  toolManuals(): string;
  /** Agents that the calls spawn spend what is on the meter. */
  callAll(calls: readonly CallRequest[], meter: TokenMeter): Promise<CallResult[]>;
  /** For an agent that another one has spawned: what that one spends. */
  readonly meter?: TokenMeter;
  /** Finds out what another process has told of sub-agents, and which of them are lost. */
  refreshNews(): Promise<void>;
  /** How agents ended that were spawned to work beside, where the model does not know yet. */
  takeNews(): readonly string[];
  /** Waits for one of them; false where there is none to wait for. */
  untilNews(signal: AbortSignal): Promise<boolean>;
  keepOutput(text: string): Promise<string>;
  /** Keeps bytes beside the log, and gives the name to ask for them by; undefined where there is no room. */
  keepBytes(bytes: Buffer): Promise<string | undefined>;
  /** Undefined where they are gone. */
  readBytes(name: string): Promise<Buffer | undefined>;
  /** What is left to do, where the model may have lost sight of it and has not been told. */
  takeReminder(): string | undefined;
  /** What is in the log behind a sequence number, oldest first. */
  readLog(since: number): AsyncIterable<LoggedEvent>;
}
