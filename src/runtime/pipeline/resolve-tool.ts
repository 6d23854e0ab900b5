import { ToolError } from "../../tool/tool-error.ts";
import { isCallId } from "./begin-call.ts";
import type { Call, ResolvedCall } from "./call.ts";

/** Stage 1: finds the tool by name, or tells which ones come near. */
export function resolveTool(call: Call): ResolvedCall {
  const { dialect, openCalls, session } = call.environment;
  if (openCalls.isClosed) {
    throw new ToolError("session-closed", `session ${session.id} is closed`, {
      hint: "Open it again to go on.",
    });
  }
  const { name, id } = call.request;
  if (id !== undefined && !isCallId(id)) {
    throw new ToolError("invalid-input", "a call's id must be 1 to 128 letters, digits, or any of _ . : -");
  }
  const resolved = typeof name === "string" ? dialect.resolve(name) : undefined;
  if (resolved === undefined) {
    const nearest = dialect.nearest(String(name));
    throw new ToolError("unknown-tool", dialect.unknownTool(String(name), []), {
      hint:
        nearest.length > 0 ? `Did you mean ${nearest.join(" or ")}?` : "List the tools to see what there is.",
    });
  }
  return Object.assign(call, { resolved });
}
