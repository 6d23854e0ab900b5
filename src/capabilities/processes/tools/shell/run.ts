import { defined } from "../../../../shared/options/defined.ts";
import { declareTool } from "../../../../tool/define-tool.ts";
import type { PermissionRequest } from "../../../../tool/permission-request.ts";
import type { CommandOutcome, Job } from "../../../../tool/services/processes.ts";
import type { ToolContext } from "../../../../tool/tool-context.ts";
import { ToolError } from "../../../../tool/tool-error.ts";
import { describeReading, nameUses, type Wording } from "../../../../tool/wording.ts";
import { commandResult, stderrMark } from "../shell-outputs.ts";

const defaultTimeoutMs = 120_000;
const maxTimeoutMs = 600_000;

export default declareTool({
  name: "shell_run",
  description:
    "Run a bash command and wait for it, or start it in the background. The working directory carries over to the next command. Long output is cut, and the result names a file with all of it. Commands get no keyboard input.",
  params: {
    command: { type: "string", minLength: 1, description: "The command, as bash reads it" },
    timeout: {
      type: "integer",
      minimum: 0,
      maximum: maxTimeoutMs,
      required: false,
      description: `Timeout in milliseconds; default ${defaultTimeoutMs}, 0 means the maximum of ${maxTimeoutMs}. A background job has no timeout unless you give one`,
    },
    run_in_background: {
      type: "boolean",
      default: false,
      description: "Start it as a background job and return immediately; another tool reads its output",
    },
    description: {
      type: "string",
      required: false,
      description: "The purpose of the command in a few words, shown to the user",
    },
    cwd: {
      type: "string",
      format: "path",
      required: false,
      description: "Directory to run in; default: where the last command ended",
    },
    background_after: {
      type: "integer",
      minimum: 1,
      required: false,
      description: "Move the command to the background if it still runs after this many milliseconds",
    },
    keep: {
      type: "boolean",
      default: false,
      description: "Let a background job outlive the session",
    },
    pty: {
      type: "boolean",
      default: false,
      description: "Run it in a terminal, for programs that need one",
    },
    rights: {
      type: "string",
      enum: ["as-needed", "workspace-write", "network"],
      default: "as-needed",
      description:
        "The rights of the command in the sandbox. Ask for more only after the sandbox has blocked a command; unless the mode allows it, the user is asked first",
    },
  },
  prompt: `Use it for programs: builds, tests, version control. Read, search and change files with the tools for that: their answers fit what you can read, and their changes can be undone.
Start servers and watchers in the background. Quote paths with spaces, and join commands that depend on each other with &&. A command that asks a question gets no answer, so use options such as --yes.`,
  aliases: ["bash_run"],
  traits: {
    destructive: true,
    runsCommands: true,
    deferrable: false,
    timeoutMs: ({ timeout, run_in_background }) =>
      run_in_background ? undefined : timeout === 0 ? maxTimeoutMs : (timeout ?? defaultTimeoutMs),
    // Five seconds to end by itself, two to be killed, one to report.
    windUpMs: 8000,
  },
  output: commandResult,
  searchHint: "shell command execute terminal",
  permission: ({ command, cwd, rights }): PermissionRequest[] => [
    { action: "execute", target: command, script: "bash", ...defined({ directory: cwd }) },
    ...moreRights[rights],
  ],
  async run(
    input,
    { processes, signal, wording, maxOutputCharacters, markTruncated },
  ): Promise<CommandOutcome | StartedJob> {
    const { command, cwd: directory, pty: terminal, run_in_background, keep, timeout = 0 } = input;
    if (keep && !run_in_background) {
      throw new ToolError("invalid-input", "$.keep only applies to background jobs", {
        hint: `Set ${wording.argument("run_in_background", true)} as well.`,
      });
    }
    if (run_in_background) {
      const limits = { keep, timeoutMs: timeout > 0 ? timeout : undefined };
      return { started: await processes.start(command, defined({ directory, terminal, ...limits })) };
    }
    const maxCharacters =
      maxOutputCharacters - Math.min(maxNoteCharacters, Math.floor(maxOutputCharacters / 4));
    const limits = { maxCharacters, backgroundAfterMs: input.background_after };
    const outcome = await processes.run(command, defined({ directory, terminal, ...limits }));
    if (outcome.outputFile !== undefined) markTruncated({ storedPath: outcome.outputFile });
    if (outcome.endedBy !== undefined) throw endedEarly(outcome, { signal, wording });
    return outcome;
  },
  toText: (result, wording) =>
    "started" in result ? describeStart(result.started, wording) : describeCommand(result, wording),
});

// For the end of the command, the place of all its output, and the denials of the sandbox.
const maxNoteCharacters = 2000;

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

function endedEarly(
  outcome: CommandOutcome,
  { signal, wording }: Pick<ToolContext, "signal" | "wording">,
): ToolError {
  const partial = { content: [{ type: "text", text: describeCommand(outcome, wording) }], data: outcome };
  const elapsed = `${(outcome.elapsedMs / 1000).toFixed(1)} s`;
  if (outcome.endedBy === "timeout") {
    return new ToolError("timed-out", `the command timed out after ${elapsed}`, {
      hint: "Use a longer timeout, or run it in the background.",
      partial,
      cause: signal.reason,
    });
  }
  return new ToolError("cancelled", `the command was cancelled after ${elapsed}`, {
    partial,
    cause: signal.reason,
  });
}

function describeStart({ id, identity, outputFile }: Job, wording: Wording): string {
  return `Started in the background as ${id} (process ${identity.pid}).
Its output is in ${outputFile}${nameUses(jobTools, wording)}.`;
}

/** The tools that control a background job. */
const jobTools = { shell_output: "read its output", shell_kill: "stop it" };

/** Describes a command's outcome to the model: the output, then how the command ended. */
export function describeCommand(outcome: CommandOutcome, wording: Wording): string {
  const printed = [outcome.stdout.replace(/\n$/, ""), markErrors(outcome.stderr)].filter(
    (text) => text !== "",
  );
  return [...printed, ...endLines(outcome, wording, printed.length === 0)].join("\n");
}

function markErrors(stderr: string): string {
  if (stderr === "") return "";
  return stderr
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => `${stderrMark}${line}`)
    .join("\n");
}

function endLines(outcome: CommandOutcome, wording: Wording, isSilent: boolean): string[] {
  const { exitCode, signal, job, elapsedMs, outputFile } = outcome;
  const lines: string[] = [];
  if (outputFile !== undefined) lines.push(describeOutputFile(outcome, wording));
  if (job !== undefined && job.state === "running") {
    lines.push(`It is still running in the background as ${job.id}${nameUses(jobTools, wording)}.`);
  } else if (signal !== null) lines.push(`Terminated by ${signal}.`);
  else if (exitCode !== 0 && exitCode !== null) lines.push(`Exit code ${exitCode}.`);
  else if (isSilent && outcome.endedBy === undefined) lines.push("Done; no output.");
  lines.push(...outcome.notes);
  if (elapsedMs > 5000) lines.push(`It took ${(elapsedMs / 1000).toFixed(1)} s.`);
  return lines;
}

/** After a search or a listing, a narrower command helps more than reading all of the output. */
function describeOutputFile(
  { outputFile, isFileCapped, omittedFrom, category }: CommandOutcome,
  wording: Wording,
): string {
  // Output that is neither shown nor behind a line of the file is binary, and cannot be read as text there.
  if (omittedFrom === undefined && !isFileCapped)
    return `The bytes are kept in ${outputFile}; to work with them, write them to a file in the workspace.`;
  const what = isFileCapped ? "The first part of the output" : "The full output";
  const isLookup = category === "search" || category === "list" || category === "read";
  const narrow = isLookup ? "narrow the command" : "";
  const reading = omittedFrom === undefined ? "" : describeReading(omittedFrom, wording);
  const advice = [narrow, reading].filter((part) => part !== "").join(", or ");
  return `${what} is in ${outputFile}${advice === "" ? "" : `; ${advice}`}.`;
}
