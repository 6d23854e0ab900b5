import { declareTool } from "../../tool/define-tool.ts";

export default declareTool({
  name: "shell_kill",
  description: "End a background job and everything it started.",
  params: { job: { type: "string", minLength: 1, description: "The job's id" } },
  aliases: ["bash_kill"],
  // Asked to end, then made to: what the job has seven seconds for.
  traits: { idempotent: true, timeoutMs: 15_000 },
  searchHint: "shell background job stop cancel terminate",
  // It can only end what the session was allowed to start.
  permission: () => ({ action: "interact" }),
  run: ({ job }, { processes }) => processes.kill(job),
  toText: ({ id, state }) => (state === "killed" ? `${id} was ended.` : `${id} had ended already: ${state}.`),
});
