import type { ServerContext } from "@modelcontextprotocol/server";
import { isPlainObject } from "../../../shared/json.ts";

export interface ProgressReporter {
  report(update: unknown): void;
  /** Resolves when all reports have been sent, so that the result does not overtake them. */
  flush(): Promise<void>;
}

/** Sends a tool's progress to a client that asked for it, no faster than the client reads; outdated reports are skipped. */
export function createProgressReporter({
  mcpReq,
}: Pick<ServerContext, "mcpReq">): ProgressReporter | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let last = Number.NEGATIVE_INFINITY;
  let newest: { readonly update: unknown } | undefined;
  let sending: Promise<void> | undefined;
  const send = async () => {
    while (newest !== undefined) {
      const params = { progressToken, ...progressOf(newest.update, last) };
      newest = undefined;
      last = params.progress;
      // The client may have disconnected.
      await mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
    }
    sending = undefined;
  };
  return {
    report(update) {
      newest = { update };
      sending ??= send();
    },
    flush: () => sending ?? Promise.resolve(),
  };
}

/** Progress must grow with every message, whatever the tool counts. */
function progressOf(update: unknown, last: number): { progress: number; total?: number; message?: string } {
  const step = Number.isFinite(last) ? last + 1 : 0;
  if (typeof update === "number") return { progress: update > last ? update : step };
  if (!isPlainObject(update)) return { progress: step, message: toText(update) };
  const { progress, total, message, type, text } = update;
  // A command's output is sent as it is.
  if (type === "output" && typeof text === "string") return { progress: step, message: text };
  if (typeof progress !== "number") return { progress: step, message: toText(message ?? update) };
  return {
    progress: progress > last ? progress : step,
    ...(typeof total === "number" && { total }),
    ...(message !== undefined && { message: toText(message) }),
  };
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
