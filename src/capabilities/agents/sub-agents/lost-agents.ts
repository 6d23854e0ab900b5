import { isoTime } from "../../../shared/iso-time.ts";
import { createLock } from "../../../shared/lock.ts";
import { defined } from "../../../shared/options/defined.ts";
import { describeThrown } from "../../../shared/text/describe-thrown.ts";
import type { AgentReport } from "../../../tool/services/agents.ts";
import { type AgentRecord, toEventFields } from "./agent-record.ts";
import type { AgentRoster } from "./agent-roster.ts";
import type { SubAgentsParts } from "./child-agent.ts";

/**
 * Ends the sub-agents of a session whose processes are gone, and keeps the work in their worktrees. Those that are lost
 * already are ended before it resolves; the work of those with worktrees is kept after that.
 */
export async function openLostAgents(
  { maker, log, isAlive }: SubAgentsParts,
  roster: AgentRoster,
  closing: AbortSignal,
) {
  const inTurn = createLock();

  const endLost = async (records: readonly AgentRecord[]): Promise<LostAgent[]> => {
    const lost: LostAgent[] = [];
    for (const record of records) {
      if (closing.aborted || (await isAlive(record.process))) continue;
      const problem = await maker.endLost(record).then(() => undefined, describeThrown);
      lost.push({ record, problem });
    }
    return lost;
  };

  /** Keeps the work in a lost sub-agent's worktree, and records how it ended. */
  const salvage = async ({ record, problem: unended }: LostAgent): Promise<void> => {
    const { work, problem } = await maker.salvage(record, closing).then(
      (kept) => ({ work: kept, problem: undefined }),
      (error: unknown) => ({ work: undefined, problem: describeThrown(error) }),
    );
    // The next process that opens the session takes care of it.
    if (closing.aborted) return;
    const report = lostReport(record, { work, problems: [problem, unended] });
    log.note({ type: "subagent-end", durationMs: 0, ...toEventFields(report) });
    const isNews = record.mode === "background";
    roster.note({ ...record, status: "failed", endedAt: isoTime(), report, isNews });
  };

  const left = await endLost(await roster.learn());
  for (const lost of left.filter(({ record }) => record.worktree === undefined)) await salvage(lost);
  // This runs in the background: the folders that killed processes have left may be large, or made to take long.
  void inTurn(async () => {
    await maker.tidy();
    for (const lost of left.filter(({ record }) => record.worktree !== undefined)) await salvage(lost);
  }).catch(() => {});
  return {
    /** Reads what other processes with this session recorded, and ends sub-agents whose process is gone. */
    refresh: () =>
      inTurn(async () => {
        for (const lost of await endLost(await roster.learn())) await salvage(lost);
      }),
    /** Resolves when no sub-agent is being ended. */
    untilIdle: () => inTurn(async () => {}),
  };
}

/** A sub-agent whose process is gone, and why its session could not be ended, if so. */
interface LostAgent {
  readonly record: AgentRecord;
  readonly problem: string | undefined;
}

function lostReport(
  { id, sessionId, title }: AgentRecord,
  { work, problems }: { work: AgentReport["work"] | undefined; problems: readonly (string | undefined)[] },
): AgentReport {
  const all = ["its process ended before it was done", ...problems];
  const problem = all.filter((each) => each !== undefined).join("; ");
  return {
    ...{ id, sessionId, title, problem, reason: "failed", text: "", steps: 0, calls: 0, tokens: 0 },
    ...defined({ work }),
  };
}
