import type { AgentReport } from "../../tool/services/agents.ts";
import type { AgentRecord } from "./agent-record.ts";
import type { ChildMaker } from "./child-agent.ts";

/** Its process is gone, and it with it; what it left in a worktree is not lost. */
export async function reportLost(
  record: AgentRecord,
  { salvage }: Pick<ChildMaker<never>, "salvage">,
): Promise<AgentReport> {
  const { id, sessionId, title } = record;
  let problem = "its process ended before it did";
  const work = await salvage(record).catch((error: Error) => {
    problem += `; ${error.message}`;
    return undefined;
  });
  return {
    ...{ id, sessionId, title, problem, reason: "failed", text: "", steps: 0, calls: 0, tokens: 0 },
    ...(work && { work }),
  };
}
