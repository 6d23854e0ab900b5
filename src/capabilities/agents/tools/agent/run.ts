import { DeadlineReached } from "../../../../shared/deadline.ts";
import { defined } from "../../../../shared/options/defined.ts";
import { oneLine } from "../../../../shared/text/one-line.ts";
import { agentResult } from "../../../../tool/builtin/task-outputs.ts";
import { declareTool } from "../../../../tool/define-tool.ts";
import type { PermissionRequest } from "../../../../tool/permission-request.ts";
import type { AgentKind, AgentReport, AgentTask, StartedAgent } from "../../../../tool/services/agents.ts";
import { describeReport } from "../../../../tool/services/describe-report.ts";
import { ToolError } from "../../../../tool/tool-error.ts";
import { nameUses, type Wording } from "../../../../tool/wording.ts";

const hourMs = 3_600_000;

export default declareTool({
  name: "agent_run",
  description: ({ agents = [] }) => `${purpose}${listKinds(agents)}`,
  params: {
    prompt: {
      type: "string",
      minLength: 1,
      maxLength: 200_000,
      description:
        "The complete task with all the context the agent needs; it sees nothing else of this conversation",
    },
    description: {
      type: "string",
      maxLength: 200,
      required: false,
      description: "The task in three to five words, shown to the user",
    },
    kind: {
      type: "string",
      minLength: 1,
      maxLength: 100,
      required: false,
      description: "Which kind of agent to use; default: one like you",
    },
    model: { type: "string", maxLength: 200, default: "", description: "Its model; default: yours" },
    mode: {
      type: "string",
      enum: ["sync", "background", "worktree"],
      default: "sync",
      description:
        "sync waits for the result. background returns immediately, and you are notified when the agent ends. worktree waits too, and gives the agent its own git worktree on a new branch",
    },
    agent_id: {
      type: "string",
      maxLength: 100,
      default: "",
      description:
        "To follow up with an agent of yours that has ended: its id, such as agent_1a2b3c. It remembers its work, and prompt is your next message to it",
    },
    branch_name: {
      type: "string",
      maxLength: 200,
      default: "",
      description: "Only with mode worktree: the name of the new branch; generated if left empty",
    },
  },
  prompt: `Spawn an agent for a self-contained task that takes many steps whose details you do not need, such as a search through many files. Do the rest yourself.
The agent starts with nothing but your prompt, so include everything it needs and name the points that it should report. Only you see its final message, and nothing else of its work.
To correct or ask an agent that has ended, follow up with its agent_id instead of spawning another: it remembers its work.
You are notified when a background agent ends: continue with other work or end your turn. Do not wait or poll for it.
Changes made in a worktree are committed to its branch at the end. Review the branch, and merge it if you want them.`,
  traits: { destructive: true, openWorld: true, deferrable: false, timeoutMs: hourMs, windUpMs: 30_000 },
  output: agentResult,
  searchHint: "agent delegate subagent child task parallel worktree",
  permission: ({ mode, kind = "" }): PermissionRequest[] => [
    // Each of the agent's own calls is judged when it happens, as if its parent made it.
    { action: "interact", target: kind },
    ...(mode === "worktree" ? branchMaking : []),
  ],
  async run(input, { agents, signal, caller }): Promise<AgentReport | SpawnedAgent> {
    const { mode, branch_name, agent_id } = input;
    if (branch_name !== "" && mode !== "worktree") {
      throw new ToolError("invalid-input", "$.branch_name only applies to mode worktree", {
        hint: "Set mode to worktree, or leave branch_name out.",
      });
    }
    if (agent_id !== "" && mode === "worktree") {
      throw new ToolError("invalid-input", "$.agent_id does not apply to mode worktree", {
        hint: "Follow up with mode sync or background, or leave agent_id out.",
      });
    }
    const task: AgentTask = {
      prompt: input.prompt,
      ...defined({
        title: input.description,
        kind: input.kind,
        model: input.model || undefined,
        continues: agent_id || undefined,
        worktree: mode === "worktree" ? defined({ branch: branch_name || undefined }) : undefined,
      }),
    };
    if (mode === "background") {
      const started = await agents.start(task);
      return { ...started, isParentTold: caller.kind === "agent" };
    }
    const report = await agents.run(task);
    refuseFailed(report, signal);
    return report;
  },
  toText: (result, wording) => ("reason" in result ? describeReport(result) : describeStart(result, wording)),
});

const purpose =
  "Spawn a sub-agent to do a task on its own. It works under the same rules, sees nothing of this conversation, and reports its result to you.";

// A worktree adds a branch to the repository and a folder for it.
const branchMaking: readonly PermissionRequest[] = [{ action: "write" }];

/** The list is part of every request to a model, so it must stay short. */
const maxKinds = 50;

function listKinds(kinds: readonly AgentKind[]): string {
  if (kinds.length === 0) return "";
  const lines = kinds.slice(0, maxKinds).map(({ name, description }) => `- ${name}: ${description}`);
  const left = kinds.length - lines.length;
  if (left > 0) lines.push(`- … and ${left} more`);
  return `\nKinds:\n${lines.join("\n")}`;
}

/** An agent started in the background. */
interface SpawnedAgent extends StartedAgent {
  /** Only a caller that is an agent is notified when the new agent ends. */
  readonly isParentTold: boolean;
}

/** The tools that control a background agent. */
const agentTools = { task_list: "see whether it has ended and what it reported", task_update: "cancel it" };

/** An agent stopped by a limit still has something to show; one that failed or was interrupted makes the call fail. */
function refuseFailed(report: AgentReport, signal: AbortSignal): void {
  const partial = { content: [{ type: "text", text: describeReport(report) }], data: report };
  if (report.reason === "interrupted") throw stopped(report, { partial, cause: signal.reason });
  if (report.reason !== "failed" && report.reason !== "refused") return;
  const why = oneLine(report.problem ?? "its model did not continue", maxProblemCharacters);
  throw new ToolError("tool-failed", `agent ${report.id} failed: ${why}`, { partial });
}

const maxProblemCharacters = 2000;

function stopped({ id }: AgentReport, details: { partial: unknown; cause: unknown }): ToolError {
  const { cause } = details;
  if (!(cause instanceof DeadlineReached))
    return new ToolError("cancelled", `agent ${id} was stopped before it finished`, details);
  const message = `agent ${id} was stopped before it finished: ${cause.message}`;
  return new ToolError("timed-out", message, {
    ...details,
    hint: "Give it a smaller task, or run it in the background.",
  });
}

function describeStart({ id, title, isParentTold }: SpawnedAgent, wording: Wording): string {
  const spawned = `Spawned ${id} (${title}) in the background${nameUses(agentTools, wording)}.`;
  return isParentTold ? `${spawned}\nYou are notified when it ends; do not wait for it.` : spawned;
}
