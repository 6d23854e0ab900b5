import { setMaxListeners } from "node:events";
import { notifyOfQuestion } from "../../call/index.ts";
import { openPeople } from "../../people/index.ts";
import type { SessionMode } from "../../policy/index.ts";
import {
  type BudgetLimits,
  beginRun,
  createBudget,
  createOpenCalls,
  createProposalCount,
  createSessionLog,
  joinTaints,
  type OwnedSession,
  openGrants,
  openKept,
  openSessionVariables,
  openTaint,
  readSpending,
  type SessionKept,
} from "../../session/index.ts";
import { broughtBy } from "../capability.ts";
import type { ParentSession } from "../parent-session.ts";
import type { RunningRuntime } from "../running-runtime.ts";
import type { NamedSessionOptions } from "../session.ts";
import { trackReads } from "../tracked-reads.ts";
import type { SessionQuestions } from "./opening-session.ts";

/** The kernel's state of an open session: its log and run, its budget, and its queues for people. */
export type OpenState = Awaited<ReturnType<typeof openState>>;

/** The start of a session that belongs to this process, with its options checked. */
export interface SessionStart {
  readonly parent: ParentSession | undefined;
  readonly owned: OwnedSession;
  readonly mode: SessionMode;
  readonly limits: BudgetLimits | undefined;
}

export async function openState(runtime: RunningRuntime, options: NamedSessionOptions, start: SessionStart) {
  const { store } = runtime;
  const { id } = options;
  const { parent, owned } = start;
  // Every event stream listens for the session's end, and there may be many.
  const ending = new AbortController();
  setMaxListeners(0, ending.signal);
  const lost = new AbortController();
  const log = createSessionLog(store, id, { fence: owned.fence, onLost: () => lost.abort() });
  const kept = openKept({ store, log }, id);
  const [findEvidence] = broughtBy(broughtBy(runtime.parts, "lost"), "evidence");
  const run = await beginRun(store, id, { log, findEvidence });
  const spending = await readSpending(start.limits, { kept, log, isFresh: options.freshBudget ?? false });
  const budget = createBudget(start.limits, parent?.budget, spending);
  const taint = await openTaint({ store, log }, id);
  const partTaints = parent === undefined ? undefined : await joinTaints(parent.taint, taint);
  const people = await openAsking(runtime, id, { kept, ...start });
  const { variables, taskVariables, turns, release } = await openSessionVariables(
    { ...runtime, log },
    { id, taskId: owned.taskId },
  );
  return {
    ...{ log, kept, run, budget, taint, variables, taskVariables, turns, ending, lost, ...people },
    mode: start.mode,
    proposals: parent?.proposals ?? createProposalCount(kept),
    openCalls: createOpenCalls(),
    reads: trackReads(store),
    /** Called when everything is written. */
    release() {
      release();
      partTaints?.();
    },
  };
}

/** Approvals, grants and questions. */
async function openAsking(
  runtime: RunningRuntime,
  id: string,
  { kept, parent, owned }: SessionStart & { readonly kept: SessionKept },
) {
  const { redactor, workspace, dialects, keepRules } = runtime;
  const { onApproval, onQuestion, approvals } = runtime.options;
  const isQueued = approvals === "queue";
  const people = await openPeople(
    { ...runtime, kept },
    { sessionId: id, workspace: workspace.root, isResumed: owned.resumed, onApproval, isQueued },
  );
  const questions: SessionQuestions = {
    queue: people.questions,
    onQuestion,
    onWaiting: (request) =>
      notifyOfQuestion(runtime.hooks().event, request, {
        redactor,
        command: people.questions.kept?.howToAnswer(request.id),
      }),
  };
  return {
    approvals: parent?.approvals ?? people.approvals,
    grants: parent?.grants ?? (await openGrants(kept, { names: dialects.names, keep: keepRules })),
    questions,
  };
}
