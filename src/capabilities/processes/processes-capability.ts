import { capability } from "../../kernel/runtime/index.ts";
import { openWhenNeeded } from "../../shared/once.ts";
import { shellPlace } from "./current-directory.ts";
import { endLostCommands, endLostJobs } from "./end-lost.ts";
import { jobRecords } from "./jobs/job-record.ts";
import { processesService, type SessionJobs } from "./processes-service.ts";
import { type ShellOptions, shellOptions } from "./shell-options.ts";
import kill from "./tools/shell/kill.ts";
import output from "./tools/shell/output.ts";
import run from "./tools/shell/run.ts";

declare module "../../kernel/runtime/runtime-options.ts" {
  interface RuntimeOptions {
    /** Settings for shell commands. */
    readonly shell?: ShellOptions;
  }
}

declare module "../../kernel/runtime/session.ts" {
  interface Session {
    /** Commands that run in the background. */
    readonly jobs: SessionJobs;
  }
}

declare module "../../kernel/events/receipt.ts" {
  interface NotedFields {
    /** For a call that ran a command: its sandbox, or why it had none. */
    readonly sandbox?: string;
    /** Absolute paths that its command made or changed, and that may run as code later. */
    readonly planted?: readonly string[];
  }
}

/** Commands, also in the background. */
export const processesCapability = capability({
  name: "processes",
  options: shellOptions,
  services: { processes: processesService },
  kept: [jobRecords, shellPlace],
  receipt: {
    sandbox: { show: (sandbox) => [["sandbox", sandbox]] },
    planted: {
      mask: (paths, redactor) => paths.map((path) => redactor.text(path)),
      show: (paths) => [["may run later", paths.join(", ")]],
    },
  },
  tools: [run, output, kill],
  open({ options: { shell }, store }) {
    // For the commands of all sessions: made ahead for each, they would cost 75 descriptors each.
    const supplies = openWhenNeeded(async () => {
      const { createCommandSupplies } = await import("./command/command-supplies.ts");
      return createCommandSupplies();
    });
    return {
      lost: {
        async end(sessionId, runs) {
          // Jobs first, so that their ends are recorded.
          await endLostJobs(store, sessionId);
          await endLostCommands(runs);
        },
      },
      async session(session) {
        const processes = await processesService.open({ ...session, supplies, shell });
        const { jobs, background } = processes;
        return { services: { processes }, shell: processes, background, members: () => ({ jobs }) };
      },
      close: supplies.close,
    };
  },
});
