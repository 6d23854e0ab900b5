import { capability } from "../../kernel/runtime/index.ts";
import { countOf } from "../../shared/text/count-of.ts";
import type { CheckRecord } from "./checker.ts";
import { type CheckerOptions, diagnosticsOptions } from "./diagnostics-options.ts";

declare module "../../kernel/runtime/runtime-options.ts" {
  interface RuntimeOptions {
    /** Programs of the project that look for problems in files that calls have changed. */
    readonly diagnostics?: readonly CheckerOptions[];
  }
}

declare module "../../kernel/events/receipt.ts" {
  interface NotedFields {
    /** The findings of the project's checkers in the changed files; `problems` are the new ones. */
    readonly diagnostics?: readonly CheckRecord[];
  }
}

/** Asks the project's own checkers about changed files. Loaded only where the options name checkers. */
export const diagnosticsCapability = capability({
  name: "diagnostics",
  options: diagnosticsOptions,
  receipt: {
    diagnostics: {
      show: (records) =>
        records.map(({ by, status, problems }) => [
          "checked by",
          `${by}: ${problems === undefined ? status : countOf(problems, "new problem")}`,
        ]),
    },
  },
  open({ options: { diagnostics: checkers = [] } }) {
    if (checkers.length === 0) return undefined;
    return {
      async session({ workspace: { root }, sandbox, shell }) {
        if (shell === undefined) return {};
        const { openDiagnostics } = await import("./open-diagnostics.ts");
        const checks = openDiagnostics(checkers, { root, sandbox, shell });
        return { checks, close: checks.close };
      },
    };
  },
});
