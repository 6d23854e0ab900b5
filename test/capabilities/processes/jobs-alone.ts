import { startCommand } from "../../../src/capabilities/processes/command/start-command.ts";
import type { JobsOptions } from "../../../src/capabilities/processes/jobs/open-jobs.ts";
import { startTerminal } from "../../../src/capabilities/processes/pty/pty-command.ts";
import { isRunning, ownIdentity } from "../../../src/shared/process-identity.ts";

/** What jobs need of a session, for a process that has none: it owns them itself. */
export async function jobsAlone(): Promise<Pick<JobsOptions, "owners" | "start">> {
  return {
    owners: { own: await ownIdentity(), isAlive: isRunning },
    start: (spec, { terminal }) => (terminal ? startTerminal(spec) : startCommand(spec)),
  };
}
