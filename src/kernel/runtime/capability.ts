import type { MaybePromise } from "../../shared/maybe-promise.ts";
import type { AnyTool } from "../../tool/define-tool.ts";
import type { IsolatedRunner } from "../../tool/read-isolated.ts";
import type { SessionView } from "../../tool/tool-context.ts";
import type { ReceiptFieldTable } from "../events/index.ts";
import type { WaitingKind } from "../people/index.ts";
import type { PolicyParts, RuleSubject } from "../policy/index.ts";
import type { ServiceTable } from "../services/index.ts";
import type { FindEvidence } from "../session/index.ts";
import type { KeptKind } from "../store/index.ts";
import type { OpeningRuntime, OpenRuntime, RuntimeOffers } from "./opening.ts";
import type { Runtime, RuntimeTools } from "./runtime.ts";
import type { OpeningSession } from "./session/opening-session.ts";
import type { SessionPart } from "./session/session-part.ts";

/**
 * Something that a runtime can do: a room with one door, which declares all that it brings. The kernel opens the
 * capabilities of its list without knowing one of them; without one, only its tools, services and members are missing.
 */
export interface Capability<Options extends object = object> {
  readonly name: string;
  /** The options of a runtime that it reads. */
  readonly options?: Options;
  /** The services that calls may use, as declared; a session's part has those that are opened. */
  readonly services?: ServiceTable;
  /** The kinds of values that it keeps for a session. */
  readonly kept?: readonly KeptKind[];
  /** The fields that it adds to receipts. */
  readonly receipt?: ReceiptFieldTable;
  readonly tools?: readonly AnyTool[];
  readonly roles?: ToolRoles;
  readonly doctor?: Doctor;
  /** Throws where no runtime can be opened. */
  check?(): void;
  /** Called once for each runtime, in the order of the list. Undefined if the options ask for nothing of it. */
  open?(runtime: OpeningRuntime): MaybePromise<RuntimePart | undefined>;
}

/** Its own options decide the type, so that the list knows the options of all. */
export function capability<const Options extends object = Record<never, never>>(
  given: Capability<Options>,
): Capability<Options> {
  return given;
}

/** The roles that some tools have for the kernel, by their canonical names. */
export interface ToolRoles {
  /** Lets a model find deferred tools. */
  readonly searchTool?: string;
  /** An agent that may read a file with it may read the project's notes. */
  readonly readTool?: string;
  /** The subject of the text in parentheses of a permission rule. */
  readonly ruleSubjects?: Readonly<Record<string, RuleSubject>>;
  /** The tools that a session is offered although they are deferrable, such as those that its description lists. */
  wantedTools?(session: SessionView): readonly string[];
}

/** A capability, opened for a runtime. */
export interface RuntimePart {
  /** Opens it for a session. */
  session?(session: OpeningSession): MaybePromise<SessionPart>;
  /** The members that it adds to the runtime, once all of it is open. */
  members?(runtime: OpenRuntime): RuntimeMembers;
  /** For capabilities that are opened later. */
  readonly offers?: RuntimeOffers;
  /** Awaited before a session opens; begun early. */
  prepare?(): Promise<unknown>;
  /** Loads tools that were not needed until now. */
  beforeSearch?(): Promise<unknown>;
  /** Members of the view that descriptions of tools may depend on. Its getters are kept. */
  view?(session: { readonly allowedKinds: readonly string[] | undefined }): Partial<SessionView>;
  readonly policy?: Pick<PolicyParts, "isOwnHost" | "databaseRequests">;
  readonly waiting?: readonly WaitingKind[];
  readonly isolated?: IsolatedRunner;
  readonly lost?: LostWork;
  /** The part for another workspace. Default: this one. */
  inFolder?(runtime: OpeningRuntime): RuntimePart;
  close?(): Promise<void>;
}

/** Members of the runtime, and of its `tools`. */
export type RuntimeMembers = Partial<Omit<Runtime, "tools">> & { readonly tools?: Partial<RuntimeTools> };

/** Takes care of the calls and files that dead processes have left half done. */
export interface LostWork {
  /** Finds out about a call that a dead process has left, for its receipt. */
  readonly evidence?: FindEvidence;
  /** Takes back or completes half done work. It waits for another process that does the same. */
  recover?(): Promise<void>;
  /** Ends the work that runs of a session have left, after their calls were sealed. */
  end?(sessionId: string, runs: readonly string[]): Promise<void>;
  /** All are sealed: records that are not needed any more can go. */
  forget?(isNeeded: (life: string) => boolean): void;
  /** Takes back or completes half done work of runs in memory, whose stores are gone. */
  recoverLeft?(): Promise<void>;
}

/** The members of this name that opened parts bring. */
export function broughtBy<Part, Key extends keyof Part>(
  parts: readonly Part[],
  key: Key,
): readonly NonNullable<Part[Key]>[] {
  return parts.flatMap((part) => part[key] ?? []) as NonNullable<Part[Key]>[];
}

/** The result of one check of `toolwright doctor`, and what to do about it. */
export interface Finding {
  readonly check: string;
  readonly mark: "ok" | "warn" | "fail";
  readonly found: string;
  readonly advice?: string;
}

/** The checks of a capability that `toolwright doctor` makes. A failed check does not stop the others. */
export interface Doctor {
  /** Lock files in the folder in which processes write down their next changes. */
  locks?(intentFolder: string): Promise<readonly string[]>;
  /** Checks this machine. */
  onMachine?(): Promise<readonly Finding[]>;
  /** Checks a runtime whose MCP servers were given time to connect. */
  inRuntime?(runtime: Runtime): Promise<readonly Finding[]>;
}
