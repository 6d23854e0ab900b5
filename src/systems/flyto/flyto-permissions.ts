import type { Hooks, RuntimeOptions } from "../../index.ts";
import { flyto } from "../../kernel/dialects/tables/flyto.ts";
import type { MaybePromise } from "../../shared/maybe-promise.ts";
import { inDialectsWords } from "../in-dialects-words.ts";
import type { FlytoPermissionRequest } from "./flyto-types.ts";

/** Whether a call may be made at all, by the tool's name in Flyto and its input. Anything but true refuses it. */
export type FlytoCanUseTool = (name: string, input: unknown) => MaybePromise<boolean>;

/** Decides on a call that needs approval. Anything but true refuses it. */
export type FlytoPermissionHandler = (request: FlytoPermissionRequest) => MaybePromise<boolean>;

type ApprovalHandler = NonNullable<RuntimeOptions["onApproval"]>;

/** The user's own hooks, and before them the one that asks `canUseTool`. */
export function canUseHooks(canUseTool: FlytoCanUseTool | undefined, more: Hooks = {}): Hooks {
  if (canUseTool === undefined) return more;
  const { beforeCall = [] } = more;
  return {
    ...more,
    beforeCall: [
      async (call) => {
        const { name, args } = inDialectsWords(flyto, call);
        if ((await canUseTool(name, args)) === true) return undefined;
        return { decision: "deny", reason: `canUseTool does not allow ${name}` };
      },
      ...[beforeCall].flat(),
    ],
  };
}

export function toApprovalHandler(handler: FlytoPermissionHandler): ApprovalHandler {
  return async ({ id, callId, tool, input, verdict }) => {
    const { name, args } = inDialectsWords(flyto, { tool, input });
    const request = { id, tool_use_id: callId, tool_name: name, input: args, reason: verdict.reason };
    return (await handler(request)) === true ? "allow" : "deny";
  };
}

/** For a call that the reader of the events decides on. */
export const untilReplied: ApprovalHandler = (_request, signal) =>
  new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
