import { declareTool } from "../../tool/define-tool.ts";
import type { Job, JobOutput, Readiness } from "../../tool/services/processes.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { Wording } from "../../tool/wording.ts";

export default declareTool({
  name: "shell_output",
  description:
    "Read what a background job has printed, from where the last reading ended, or list all jobs. Can wait until a port is open or a line was printed.",
  params: {
    job: { type: "string", required: false, description: "The job's id; left out, all jobs are listed" },
    cursor: {
      type: "integer",
      minimum: 0,
      default: 0,
      description: "Where to read on, as the last answer told; 0 is the beginning",
    },
    pattern: {
      type: "string",
      required: false,
      description: "Only lines that match this regular expression",
    },
    wait_for_port: {
      type: "integer",
      minimum: 1,
      maximum: 65_535,
      required: false,
      description: "First wait until this port is open on this machine",
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
      description: "How many milliseconds to wait at most",
    },
  },
  aliases: ["bash_logs"],
  traits: {
    readOnly: true,
    idempotent: true,
    concurrencySafe: true,
    timeoutMs: ({ timeout }) => timeout + 30_000,
  },
  searchHint: "shell background job output logs list",
  permission: () => ({ action: "read" }),
  async run(input, { processes }): Promise<OutputAnswer> {
    const { job, cursor, pattern } = input;
    if (job === undefined) return { jobs: await processes.jobs() };
    const port = input.wait_for_port;
    const line = input.wait_for_line;
    if (port !== undefined && line !== undefined) {
      throw new ToolError("invalid-input", "$.wait_for_port and $.wait_for_line exclude each other");
    }
    const readiness =
      port === undefined && line === undefined
        ? undefined
        : await processes.waitFor(job, {
            deadlineMs: input.timeout,
            ...(port !== undefined && { port }),
            ...(line !== undefined && { pattern: line }),
          });
    const output = await processes.output(job, { cursor, ...(pattern !== undefined && { pattern }) });
    return { ...output, ...(readiness && { readiness }) };
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

type OutputAnswer = { readonly jobs: readonly Job[] } | (JobOutput & { readonly readiness?: Readiness });

function describeRest({ job, cursor, hasMore, isCapped }: JobOutput, wording: Wording): string {
  const readOn = `read on with ${wording.argument("cursor", cursor)}`;
  if (hasMore) return `There is more; ${readOn}.`;
  if (isCapped) return "What it printed after that was not kept.";
  return job.state === "running" ? `That is all so far; ${readOn}.` : "That is all.";
}

function describeJobs(jobs: readonly Job[]): string {
  if (jobs.length === 0) return "There are no background jobs.";
  return jobs.map((job) => `${describeJob(job)} ${job.command}`).join("\n");
}

function describeJob({ id, state, exitCode, signal, isWaitingForInput, note }: Job): string {
  if (state === "running") {
    return isWaitingForInput
      ? `${id} is waiting for somebody to type, which nobody can.`
      : `${id} is running.`;
  }
  if (state === "unknown") return `${id} has ended; how is not known.`;
  const how = signal ? ` by ${signal}` : typeof exitCode === "number" ? ` with exit code ${exitCode}` : "";
  return `${id} ${endWords[state]}${how}${note === undefined ? "" : `: ${note}`}.`;
}

const endWords: Record<Exclude<Job["state"], "running" | "unknown">, string> = {
  done: "is done",
  failed: "failed",
  killed: "was ended",
  "timed-out": "was out of time and ended",
};
