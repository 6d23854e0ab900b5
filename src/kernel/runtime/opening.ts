import type { Sandbox } from "../../machine/sandbox/index.ts";
import type { Redactor } from "../../shared/secrets/redact.ts";
import type { Caller } from "../../tool/caller.ts";
import type { AnyTool } from "../../tool/define-tool.ts";
import type { HookChain } from "../call/index.ts";
import type { WorkspacePaths } from "../policy/index.ts";
import type { Registry } from "../registry/index.ts";
import type { BlobStore, OutputFolder, Store } from "../store/index.ts";
import type { ToolFilter } from "../tool-search/index.ts";
import type { ChildSessionOptions, ParentSession } from "./parent-session.ts";
import type { RuntimeOptions } from "./runtime-options.ts";
import type { Session, SessionOptions } from "./session.ts";

/** Where a runtime works and keeps its state. */
export interface RuntimePlaces {
  readonly workspace: WorkspacePaths;
  readonly stateFolder: string;
  /** The workspace's permanent state folder, even for a run in memory, whose own state folder is temporary. */
  readonly projectFolder: string;
  /** Where the worktrees of sub-agents are created. */
  readonly worktreesFolder: string;
  /** Where processes write down their next changes. */
  readonly intentFolder: string;
  readonly outputs: OutputFolder;
  /** File contents from before they were changed. */
  readonly blobs: BlobStore;
  readonly store: Store;
  /** Tells which processes live that use this state; a store in memory knows of no other process. */
  readonly lives: Store["lives"];
  /** Finds the state that runs in memory have left in files of this user; their stores are gone with their processes. */
  findLeft(): readonly LeftPlace[];
}

/** The state of a run in memory whose process has died perhaps. */
export interface LeftPlace extends Pick<RuntimePlaces, "intentFolder" | "lives"> {
  remove(): Promise<void>;
}

/** The offers of capabilities to those that are opened later. Each adds its members (`declare module`). */
// biome-ignore lint/suspicious/noEmptyInterface: capabilities add its members.
export interface RuntimeOffers {}

/** A runtime that is being opened, as its capabilities see it. */
export interface OpeningRuntime extends RuntimePlaces {
  readonly options: RuntimeOptions;
  readonly registry: Registry;
  readonly redactor: Redactor;
  /** Looked for when the first command runs, or at the start if a sandbox is required. */
  readonly sandbox: () => Promise<Sandbox>;
  readonly builtinTools: readonly AnyTool[];
  readonly caller: Caller;
  readonly offers: RuntimeOffers;
}

/** A runtime that is open. */
export interface OpenRuntime extends Omit<OpeningRuntime, "offers"> {
  readonly hooks: () => HookChain;
  /** Name of the tool that reads files; undefined if no capability brings one. */
  readonly readTool: string | undefined;
  /** Throws if a name matches no tool. */
  filterTools(names: readonly string[], options?: { readonly isRestricting?: boolean }): ToolFilter;
  /** Creates a session, or resumes the one with this id, for a model of this name. */
  open(options?: SessionOptions, model?: string): Promise<Session>;
  /** Opens the session of a sub-agent. */
  openChild(options: ChildSessionOptions, parent: ParentSession): Promise<Session>;
  /** This runtime for another workspace, where commands may also read the `readable` folders. */
  inFolder(root: string, readable: readonly string[]): Promise<Pick<OpenRuntime, "openChild">>;
}
