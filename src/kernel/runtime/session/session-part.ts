import type { UndoStore } from "../../call/index.ts";
import type { LoggedEvent } from "../../events/index.ts";
import type { PolicyParts } from "../../policy/index.ts";
import type { BackgroundSource, ChangeChecks, OpenedTable } from "../../services/index.ts";
import type { Session } from "../session.ts";
import type { RunningSession, SessionAgenda, SessionShell } from "./opening-session.ts";

/** A capability, opened for a session. */
export interface SessionPart {
  readonly services?: OpenedTable;
  /** Runs commands, and tells where. */
  readonly shell?: SessionShell;
  readonly listTree?: PolicyParts["listTree"];
  readonly undo?: Pick<UndoStore, "revert" | "diff" | "settle">;
  /** The checks of files that calls have changed. */
  readonly checks?: ChangeChecks;
  readonly background?: BackgroundSource;
  readonly agenda?: SessionAgenda;
  /** Called when a call has ended. */
  onCall?(): void;
  /** The sub-agents at work in the session, because of which it cannot be rewound now. */
  working?(): readonly string[];
  /** Brings its state back to before an event of a log: when a session is rewound, or begins as a fork. */
  restore?(log: AsyncIterable<LoggedEvent>, before: number): Promise<void>;
  /** The members that it adds to the session, once all of it is open. */
  members?(session: RunningSession): Partial<Session>;
  close?(): Promise<void>;
}
