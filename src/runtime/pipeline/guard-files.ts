import type { Files } from "../../tool/tool-context.ts";
import { refusal } from "./authorize.ts";
import type { ResolvedCall } from "./call.ts";
import { decideOn } from "./find-verdict.ts";

/**
 * The files as one call may use them. What the tool declared was decided before it ran; any other path is decided
 * when it is touched, by the same rules, so that a tool which declares nothing gets around nothing.
 */
export function guardFiles(call: ResolvedCall, files: Files): Files {
  const admit = async (path: string): Promise<void> => {
    if (call.declared?.some(({ action, target }) => action === "read" && target === path)) return;
    const verdict = await decideOn(call, [{ action: "read", target: path }]);
    if (verdict.decision !== "allow")
      throw refusal(call, { ...verdict, reason: `${path}: ${verdict.reason}` });
  };
  return {
    async readLines(path, window) {
      await admit(path);
      return files.readLines(path, window);
    },
    async list(path, options) {
      await admit(path);
      return files.list(path, options);
    },
    async describe(path) {
      await admit(path);
      return files.describe(path);
    },
  };
}
