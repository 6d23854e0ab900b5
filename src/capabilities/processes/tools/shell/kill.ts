import { declareTool } from "../../../../tool/define-tool.ts";
import { jobState } from "../shell-outputs.ts";

export default declareTool({
  name: "shell_kill",
  description: "Stop a background job and every process it started.",
  params: { job: { type: "string", minLength: 1, description: "The job's id" } },
  prompt: "Stop a job as soon as it is not needed any more. Its output can still be read.",
  aliases: ["bash_kill"],
  // The job is asked to end, then killed; together that takes up to seven seconds.
  traits: { timeoutMs: 15_000 },
  output: jobState,
  searchHint: "shell background job stop cancel terminate",
  // Only jobs that the session was allowed to start can be stopped.
  permission: () => ({ action: "interact" }),
  run: ({ job }, { processes }) => processes.kill(job),
  toText: ({ id, state }) =>
    state === "killed" ? `${id} was stopped.` : `${id} had already ended: ${state}.`,
});
