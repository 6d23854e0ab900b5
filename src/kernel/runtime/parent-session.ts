import type { Caller } from "../../tool/caller.ts";
import type { Approvals } from "../people/index.ts";
import type { Grants, Mode, SessionMode } from "../policy/index.ts";
import type { Budget, ProposalCount, SessionTaint } from "../session/index.ts";
import type { SessionParent } from "../store/index.ts";

/** A session's place in the tree of agents, and the agents it may spawn. */
export interface Lineage {
  /** Number of parents above it. */
  readonly depth: number;
  /** Sessions at this depth spawn no agents. */
  readonly maxDepth: number;
  /** The only kinds that may be spawned. Default: all of them. */
  readonly allowedKinds?: readonly string[] | undefined;
}

/** The parts of a session that the sessions of its sub-agents share. */
export interface ParentSession extends Lineage {
  /** Only for a new session. */
  readonly record?: SessionParent;
  readonly budget: Budget;
  /** Shared, so that a sub-agent's approvals are answered in the same place. */
  readonly approvals: Approvals;
  /** Shared too: rules that a person allows for the session hold for all agents in it. */
  readonly grants: Grants;
  /** Shared too: spawning an agent must not be a way to make more tools. */
  readonly proposals: ProposalCount;
  /** A sub-agent never has a wider one, also if it changes while the sub-agent works. */
  readonly mode: Pick<SessionMode, "current">;
  /** Joined with the sub-agent's own, because each reads the other's content. */
  readonly taint: SessionTaint;
}

export interface ChildSessionOptions {
  readonly id: string;
  readonly taskId: string;
  readonly mode: Mode;
  /** Its parent's. */
  readonly dialect: string;
  readonly caller: Caller;
}
