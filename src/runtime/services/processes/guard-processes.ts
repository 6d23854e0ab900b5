import type { Processes } from "../../../tool/services/processes.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { ResolvedCall } from "../../pipeline/call.ts";
import { admitCommand } from "../../policy/admit-command.ts";
import { offerMoreRights } from "../../policy/approvals/offer-more-rights.ts";
import { unavailableServices } from "../unavailable-services.ts";
import type { ProcessUse } from "./process-use.ts";

/** Processes as one call may use them: what it starts was decided on, word for word, and runs in the bounds that follow. */
export function guardProcesses(call: ResolvedCall, onLines: ProcessUse["onLines"]): Processes {
  const { processes, redactor } = call.environment;
  if (processes === undefined) return unavailableServices.processes;
  return processes({
    callId: call.id,
    signal: call.deadline.signal,
    // Whoever listens hears no more than the answer will tell; a tool chooses what it says itself, a command does not.
    onLines: (stream, text) => onLines(stream, redactor.text(text)),
    admit: async (command, directory) => {
      if (call.request.isDryRun) throw notInPreview();
      return admitCommand(call, command, directory);
    },
    offerMore: (profile, why) => offerMoreRights(call, profile, why),
    onStart: (sandbox) => {
      call.sandbox = sandbox;
    },
  });
}

function notInPreview(): ToolError {
  return new ToolError("unsupported", "a preview starts no processes");
}
