import { declareTool } from "../../tool/define-tool.ts";
import type { PermissionRequest } from "../../tool/permission-request.ts";
import type { CommandOutcome, Job, StartOptions } from "../../tool/services/processes.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { Wording } from "../../tool/wording.ts";
import { describeCommand } from "../describe-command.ts";

const defaultTimeoutMs = 120_000;
const maxTimeoutMs = 600_000;

export default declareTool({
  name: "shell_run",
  description:
    "Run a bash command and wait for it, or start it in the background. A directory it changes into is where the next command starts. Output is bounded; the whole of it is kept in a file that the answer names. Nothing can be typed into it.",
  params: {
    command: { type: "string", minLength: 1, description: "The command, as bash reads it" },
    timeout: {
      type: "integer",
      minimum: 0,
      maximum: maxTimeoutMs,
      required: false,
      description: `Milliseconds until it is ended, ${defaultTimeoutMs} if left out; 0 means as long as possible, ${maxTimeoutMs}. A background job has no limit unless one is given here`,
    },
    run_in_background: {
      type: "boolean",
      default: false,
      description: "Start it as a job and answer at once; its output is read with another tool",
    },
    description: {
      type: "string",
      required: false,
      description: "What it does, in a few words, for whoever looks on",
    },
    cwd: {
      type: "string",
      format: "path",
      required: false,
      description: "Where it runs; by default where the last command ended",
    },
    background_after: {
      type: "integer",
      minimum: 1,
      required: false,
      description: "Milliseconds after which a command that still runs goes on as a background job",
    },
    keep: {
      type: "boolean",
      default: false,
      description: "A background job that outlives the session",
    },
    pty: {
      type: "boolean",
      default: false,
      description: "Give it a terminal, for programs that refuse to work without one",
    },
    rights: {
      type: "string",
      enum: ["as-needed", "workspace-write", "network"],
      default: "as-needed",
      description:
        "What its sandbox lets it do. Ask for more than needed only after the sandbox has stopped a command; unless the mode lets it, the person is asked first",
    },
  },
  aliases: ["bash_run"],
  traits: {
    destructive: true,
    runsCommands: true,
    deferrable: false,
    timeoutMs: ({ timeout, run_in_background }) =>
      run_in_background ? undefined : timeout === 0 ? maxTimeoutMs : (timeout ?? defaultTimeoutMs),
    // Five seconds to end by itself, two to be ended, and one to tell.
    windUpMs: 8000,
  },
  searchHint: "shell command execute terminal",
  permission: ({ command, cwd, rights }): PermissionRequest[] => [
    { action: "execute", target: command, script: "bash", ...(cwd !== undefined && { directory: cwd }) },
    ...moreRights[rights],
  ],
  async run(input, { processes, signal }): Promise<CommandOutcome | StartedJob> {
    const { command, cwd, pty, run_in_background, keep } = input;
    if (keep && !run_in_background) {
      throw new ToolError("invalid-input", "$.keep is for background jobs", {
        hint: "Give run_in_background as well.",
      });
    }
    const place = { terminal: pty, ...(cwd !== undefined && { directory: cwd }) };
    if (run_in_background)
      return { started: await processes.start(command, { ...place, ...jobLimits(input) }) };
    const after = input.background_after;
    const outcome = await processes.run(command, {
      ...place,
      ...(after !== undefined && { backgroundAfterMs: after }),
    });
    if (outcome.endedBy !== undefined) throw endedEarly(outcome, signal);
    return outcome;
  },
  toText: (result, wording) =>
    "started" in result ? describeStart(result.started, wording) : describeCommand(result, wording),
});

interface StartedJob {
  readonly started: Job;
}

const moreRights: Readonly<
  Record<"as-needed" | "workspace-write" | "network", readonly PermissionRequest[]>
> = {
  "as-needed": [],
  "workspace-write": [{ action: "write" }],
  network: [{ action: "network", target: "*" }],
};

function jobLimits({ timeout, keep }: { timeout?: number | undefined; keep: boolean }): StartOptions {
  return { keep, ...(timeout !== undefined && timeout > 0 && { timeoutMs: timeout }) };
}

function endedEarly(outcome: CommandOutcome, signal: AbortSignal): ToolError {
  const partial = { content: [{ type: "text", text: describeCommand(outcome) }], data: outcome };
  const elapsed = `${(outcome.elapsedMs / 1000).toFixed(1)} s`;
  if (outcome.endedBy === "timeout") {
    return new ToolError("timed-out", `the command was ended after ${elapsed}: its time was up`, {
      hint: "Give a longer timeout, or run it in the background.",
      partial,
      cause: signal.reason,
    });
  }
  return new ToolError("cancelled", `the command was ended after ${elapsed}: the caller gave up`, {
    partial,
    cause: signal.reason,
  });
}

function describeStart({ id, identity, outputFile }: Job, wording: Wording): string {
  return `Started in the background as ${id} (process ${identity.pid}).
Its output is in ${outputFile}; read it with ${wording.tool("shell_output")}, end it with ${wording.tool("shell_kill")}.`;
}
