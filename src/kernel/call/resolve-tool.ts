import { findUnknownKey } from "../../shared/options/refuse-unknown-keys.ts";
import { didYouMean } from "../../shared/text/did-you-mean.ts";
import { isCaller } from "../../tool/caller.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { ResolvedName } from "../dialects/index.ts";
import { CallGate } from "../policy/index.ts";
import { isCallId, isSignal } from "./begin-call.ts";
import { type Call, type CallRequest, nameOf, type ResolvedCall, requestKeys } from "./call.ts";

/** Stage 1: finds the tool by name, or suggests similar names. */
export function resolveTool(call: Call): ResolvedCall {
  const { dialect, policy, session } = call.host;
  const { closeReason } = call.host.run.openCalls;
  if (closeReason !== undefined) {
    if (closeReason instanceof ToolError) throw closeReason;
    throw new ToolError("session-closed", `session ${session.id} is closed`, {
      hint: "Open it again to continue.",
    });
  }
  const unknown = findUnknownKey(call.request, requestKeys);
  if (unknown !== undefined) throw new ToolError("invalid-input", `the call's options: ${unknown}`);
  const { name, id, signal, caller } = call.request;
  if (signal !== undefined && !isSignal(signal)) {
    throw new ToolError("invalid-input", "a call's signal must be an AbortSignal");
  }
  if (id !== undefined && !isCallId(id)) {
    throw new ToolError("invalid-input", "a call's id must be 1 to 128 letters, digits, or any of _ . : -");
  }
  if (caller !== undefined && !isCaller(caller)) {
    throw new ToolError(
      "invalid-input",
      "a call's caller must have a kind (code, person, agent or mcp) and a name",
    );
  }
  const spoken = nameOf(call);
  const resolved = typeof name === "string" ? dialect.resolve(name) : undefined;
  if (resolved === undefined) {
    const absence = dialect.absenceOf(spoken);
    if (absence !== undefined) throw absence;
    const nearest = dialect.nearest(spoken);
    throw new ToolError("unknown-tool", dialect.unknownTool(spoken, []), {
      hint: didYouMean(nearest, "List the tools to see which are available."),
    });
  }
  const found = Object.assign(call, { resolved: withOutputCap(resolved, call.request) });
  return Object.assign(found, { gate: new CallGate(policy, found) });
}

function withOutputCap(resolved: ResolvedName, { maxOutputCharacters }: CallRequest): ResolvedName {
  const { outputLimit } = resolved;
  if (maxOutputCharacters === undefined || maxOutputCharacters >= outputLimit.maxCharacters) return resolved;
  return { ...resolved, outputLimit: { ...outputLimit, maxCharacters: maxOutputCharacters } };
}
