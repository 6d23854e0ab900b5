import { defined } from "../../../../shared/options/defined.ts";
import { quoteControls } from "../../../../shared/text/quote-controls.ts";
import { pageRoom } from "../../../../tool/builtin/fit-page.ts";
import { declareTool } from "../../../../tool/define-tool.ts";
import type { Job, JobOutput, Readiness } from "../../../../tool/services/processes.ts";
import { ToolError } from "../../../../tool/tool-error.ts";
import type { Wording } from "../../../../tool/wording.ts";
import { jobOutput } from "../shell-outputs.ts";

export default declareTool({
  name: "shell_output",
  description:
    "Read the output of a background job, from the start or from where the last read ended, or list all jobs. Can first wait until a port is open or a line is printed.",
  params: {
    job: { type: "string", required: false, description: "The job's id; leave it out to list all jobs" },
    cursor: {
      type: "integer",
      minimum: 0,
      default: 0,
      description: "Where to continue, as given by the last read; 0 is the start",
    },
    pattern: {
      type: "string",
      required: false,
      description: "Return only lines that match this regular expression",
    },
    wait_for_port: {
      type: "integer",
      minimum: 1,
      maximum: 65_535,
      required: false,
      description: "First wait until this local port is open",
    },
    wait_for_line: {
      type: "string",
      required: false,
      description: "First wait until a line matches this regular expression",
    },
    timeout: {
      type: "integer",
      minimum: 0,
      maximum: 600_000,
      default: 30_000,
      description: "Maximum time to wait, in milliseconds",
    },
  },
  prompt: `Do not poll: wait for a line or a port, with a timeout that fits. Pass on the cursor to get only new output.`,
  aliases: ["bash_logs"],
  traits: {
    readOnly: true,
    idempotent: true,
    concurrencySafe: true,
    polls: true,
    timeoutMs: ({ timeout }) => timeout + 30_000,
  },
  output: jobOutput,
  searchHint: "shell background job output logs list",
  permission: () => ({ action: "read" }),
  async run(input, { processes, maxOutputCharacters, markTruncated }): Promise<OutputAnswer> {
    const { job, cursor, pattern } = input;
    if (job === undefined) return { jobs: await processes.jobs() };
    const port = input.wait_for_port;
    const line = input.wait_for_line;
    if (port !== undefined && line !== undefined) {
      throw new ToolError("invalid-input", "$.wait_for_port and $.wait_for_line cannot be combined");
    }
    const readiness =
      port === undefined && line === undefined
        ? undefined
        : await processes.waitFor(job, {
            deadlineMs: input.timeout,
            ...defined({ port, pattern: line }),
          });
    const output = await processes.output(job, {
      cursor,
      // No character has less than a byte.
      maxBytes: Math.min(pageRoom(maxOutputCharacters), maxPageBytes),
      ...defined({ pattern }),
    });
    if (output.hasMore) markTruncated({ storedPath: output.job.outputFile });
    return { ...output, ...defined({ readiness }) };
  },
  toText: (answer, wording) => {
    if ("jobs" in answer) return describeJobs(answer.jobs);
    const { text, job, readiness } = answer;
    const lines = [text.replace(/\n$/, "")].filter((part) => part !== "");
    if (readiness !== undefined)
      lines.push(`${readiness.isReady ? "Ready" : "Not ready"}: ${readiness.reason}.`);
    lines.push(`${describeJob(job)} ${describeRest(answer, wording)}`);
    return lines.join("\n");
  },
});

const maxPageBytes = 64 * 1024;

type OutputAnswer = { readonly jobs: readonly Job[] } | (JobOutput & { readonly readiness?: Readiness });

function describeRest({ job, cursor, hasMore, isCapped }: JobOutput, wording: Wording): string {
  const next = `continue with ${wording.argument("cursor", cursor)}`;
  if (hasMore) return `There is more output; ${next}.`;
  if (isCapped) return "Its later output was not kept.";
  return job.state === "running" ? `That is all its output so far; ${next}.` : "That is all its output.";
}

function describeJobs(jobs: readonly Job[]): string {
  if (jobs.length === 0) return "No background jobs.";
  return jobs.map((job) => `${describeJob(job)} ${quoteControls(job.command)}`).join("\n");
}

function describeJob({ id, state, exitCode, signal, isWaitingForInput, note }: Job): string {
  if (state === "running") {
    return isWaitingForInput
      ? `${id} is waiting for keyboard input, which it cannot get.`
      : `${id} is running.`;
  }
  if (state === "unknown") return `${id} has ended; its exit status is unknown.`;
  const how = signal ? ` by ${signal}` : typeof exitCode === "number" ? ` with exit code ${exitCode}` : "";
  return `${id} ${endWords[state]}${how}${note === undefined ? "" : `: ${note}`}.`;
}

const endWords: Record<Exclude<Job["state"], "running" | "unknown">, string> = {
  done: "finished",
  failed: "failed",
  killed: "was stopped",
  "timed-out": "timed out and was stopped",
};
