import type { SandboxStatus } from "../../machine/sandbox/index.ts";
import type { Receipt } from "../events/index.ts";
import type { RuntimeApprovals } from "../people/index.ts";
import type { SourceProblem, ToolList } from "../registry/index.ts";
import type { ChainReport, ReceiptQuery, SessionRecord } from "../store/index.ts";
import type { RemoteSession } from "./remote/remote-session.ts";
import type { RuntimeHealth } from "./runtime-health.ts";
import type { RuntimeMetrics } from "./runtime-metrics.ts";
import type { Session, SessionOptions } from "./session.ts";
import type { StoreChange, WatchQuery } from "./watch-sessions.ts";

/**
 * A workspace with its tools, permissions and store. Opens sessions and agents; close it when done. Capabilities add their
 * own members, each in its room (`declare module`).
 */
export interface Runtime extends KernelRuntime {
  readonly tools: RuntimeTools;
}

/** The members of a runtime that no capability brings. */
export interface KernelRuntime extends RuntimeRecords {
  /** Absolute path of the workspace's root. */
  readonly workspace: string;
  readonly tools: KernelRuntimeTools;
  /** Creates a session, or resumes the one with this id. */
  openSession(options?: SessionOptions): Promise<Session>;
  /**
   * A session that another process may have open: read without opening it, and changed by its owner. Rejects if there is
   * none with this id.
   */
  remoteSession(id: string): Promise<RemoteSession>;
  /** Calls and MCP servers that wait for a person, in every session and process of the store. */
  readonly approvals: RuntimeApprovals;
  /** The sandbox for shell commands on this machine; if there is none, the reason. */
  sandbox(): Promise<SandboxStatus>;
  /** Counts and times since it was opened: calls, approvals, sessions, writes to the store, event loop, memory. */
  metrics(): RuntimeMetrics;
  /** Whether calls can do their work: looks at the store, the disk and the sandbox. */
  health(): Promise<RuntimeHealth>;
  /** Tools that could not be offered, and rules that do something else than they seem to, each with the reason. */
  problems(): readonly SourceProblem[];
  /** Closes its sessions, MCP servers and store. */
  close(): Promise<void>;
}

/** The records in the store of a runtime, of every session and process. */
export interface RuntimeRecords {
  /**
   * Tells that sessions of the store have changed, in whichever process, until the signal or the runtime ends. The first
   * change comes when the watch has begun.
   */
  watch(options?: WatchQuery): AsyncGenerator<StoreChange, void, void>;
  /** Every session in the store. */
  sessions(): Promise<readonly SessionRecord[]>;
  /** Receipts of finished calls, newest first. */
  receipts(query?: ReceiptQuery): Promise<readonly Receipt[]>;
  /** The full output that a call's result left out parts of, with secrets masked; undefined if it is not kept. */
  readOutput(receipt: Pick<Receipt, "storedPath">): Promise<string | undefined>;
  /** A call's changes to files, as a unified diff with secrets masked, a long one cut; undefined if it is not kept. */
  readDiff(receipt: Pick<Receipt, "undo">): Promise<string | undefined>;
  /** Recomputes the hash chain of the log, of one session or all, and reports where it is broken. */
  verify(sessionId?: string): Promise<readonly ChainReport[]>;
}

/** The tools of a runtime, whichever session calls them. Capabilities may add ways to register more. */
export interface RuntimeTools extends KernelRuntimeTools {}

export interface KernelRuntimeTools extends ToolList {
  /** Tool names by group, as the runtime's dialect has them. A group is a folder of tool files, or an MCP server. */
  groups(): Record<string, string[]>;
}
