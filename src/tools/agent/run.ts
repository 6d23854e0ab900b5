import { DeadlineReached } from "../../shared/deadline.ts";
import { declareTool } from "../../tool/define-tool.ts";
import type { PermissionRequest } from "../../tool/permission-request.ts";
import type {
  AgentKind,
  AgentMode,
  AgentReport,
  AgentTask,
  StartedAgent,
} from "../../tool/services/agents.ts";
import { describeReport } from "../../tool/services/describe-report.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { Wording } from "../../tool/wording.ts";

const hourMs = 3_600_000;

export default declareTool({
  name: "agent_run",
  description: ({ agents = [] }) => `${purpose}${listKinds(agents)}`,
  params: {
    prompt: {
      type: "string",
      minLength: 1,
      maxLength: 200_000,
      description: "The whole of what it has to know and do; it sees nothing else of this conversation",
    },
    description: {
      type: "string",
      maxLength: 200,
      required: false,
      description: "The work in three to five words, for whoever looks on",
    },
    kind: {
      type: "string",
      minLength: 1,
      maxLength: 100,
      required: false,
      description: "Which kind of agent; one like you if left out",
    },
    model: { type: "string", maxLength: 200, default: "", description: "Its model; yours if left empty" },
    mode: {
      type: "string",
      enum: ["sync", "background", "worktree"],
      default: "sync",
      description:
        "sync waits for it. background answers at once, and you are told when it has ended. worktree waits, and lets it work in a git worktree of its own, on a new branch",
    },
    branch_name: {
      type: "string",
      maxLength: 200,
      default: "",
      description: "In mode worktree: the name of the new branch; one is made up if left empty",
    },
  },
  prompt: `Spawn an agent for work that can be told in a few sentences and needs many steps whose details do not matter to you, such as a search through many files; do the rest yourself.
It starts with nothing but your prompt, so put in all that it needs, and say what it shall tell you at its end: you read only its last words, and nobody else does.
One in the background tells you itself when it has ended: go on with something else or end your turn, and do not wait or look for it.
What a worktree holds is committed on its branch in the end; look at the branch and merge it when you want the changes.`,
  traits: { deferrable: false, timeoutMs: hourMs, windUpMs: 30_000 },
  searchHint: "agent delegate subagent child task parallel worktree",
  permission: ({ mode }): PermissionRequest[] => [
    // Whatever it does is decided on then, as if its parent did it.
    { action: "interact" },
    ...(mode === "worktree" ? branchMaking : []),
  ],
  async run(input, { agents, signal, caller }): Promise<AgentReport | SpawnedAgent> {
    const { mode, branch_name } = input;
    if (branch_name !== "" && mode !== "worktree") {
      throw new ToolError("invalid-input", "$.branch_name is for the mode worktree", {
        hint: "Give mode: worktree, or leave the name out.",
      });
    }
    if (mode === "background") {
      const started = await agents.start(taskOf(input));
      return { ...started, isParentTold: caller.kind === "agent" };
    }
    const report = await agents.run(taskOf(input));
    refuseFailed(report, signal);
    return report;
  },
  toText: (result, wording) => ("reason" in result ? describeReport(result) : describeStart(result, wording)),
});

const purpose =
  "Spawn another agent with a piece of work. It has the same rules and none of this conversation, works by itself, and tells you what came of it.";

// A new branch, and what it takes to have it in a folder of its own.
const branchMaking: readonly PermissionRequest[] = [{ action: "write" }];

/** Every model reads this with every request, so that there is a limit to it. */
const maxKinds = 50;

function listKinds(kinds: readonly AgentKind[]): string {
  if (kinds.length === 0) return "";
  const lines = kinds.slice(0, maxKinds).map(({ name, description }) => `- ${name}: ${description}`);
  const left = kinds.length - lines.length;
  if (left > 0) lines.push(`- … and ${left} more`);
  return `\nKinds:\n${lines.join("\n")}`;
}

/** One that works beside. */
interface SpawnedAgent extends StartedAgent {
  /** Only an agent is told by itself what came of it. */
  readonly isParentTold: boolean;
}

interface GivenTask {
  readonly prompt: string;
  readonly description?: string | undefined;
  readonly kind?: string | undefined;
  readonly model: string;
  readonly mode: AgentMode;
  readonly branch_name: string;
}

function taskOf({ prompt, description, kind, model, mode, branch_name }: GivenTask): AgentTask {
  return {
    prompt,
    ...(description !== undefined && { title: description }),
    ...(kind !== undefined && { kind }),
    ...(model !== "" && { model }),
    ...(mode === "worktree" && { worktree: branch_name === "" ? {} : { branch: branch_name } }),
  };
}

/** One that was stopped by a limit has still done something; one that failed has not done what it was sent for. */
function refuseFailed(report: AgentReport, signal: AbortSignal): void {
  const partial = { content: [{ type: "text", text: describeReport(report) }], data: report };
  if (report.reason === "interrupted") throw stopped(report, { partial, cause: signal.reason });
  if (report.reason !== "failed" && report.reason !== "refused") return;
  const why = report.problem ?? "its model did not go on";
  throw new ToolError("tool-failed", `agent ${report.id} failed: ${why}`, { partial });
}

function stopped({ id }: AgentReport, details: { partial: unknown; cause: unknown }): ToolError {
  const { cause } = details;
  if (!(cause instanceof DeadlineReached))
    return new ToolError("cancelled", `agent ${id} was stopped before its end`, details);
  const message = `agent ${id} was stopped before its end: ${cause.message}`;
  return new ToolError("timed-out", message, {
    ...details,
    hint: "Give it less to do, or send it off in the background.",
  });
}

function describeStart({ id, title, isParentTold }: SpawnedAgent, wording: Wording): string {
  const sent = `Spawned ${id} (${title}) to work in the background.`;
  if (!isParentTold) {
    return `${sent} ${wording.tool("task_list")} tells when it has ended and what it said; ${wording.tool("task_update")} ends it.`;
  }
  return `${sent} You are told when it has ended; do not wait for it.
It is listed by ${wording.tool("task_list")}, and ended with ${wording.tool("task_update")}.`;
}
