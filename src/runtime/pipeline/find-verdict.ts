import { resolve } from "node:path";
import type { Eventually } from "../../shared/eventually.ts";
import {
  type PermissionClass,
  type PermissionRequest,
  permissionClasses,
} from "../../tool/permission-request.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { requestsOfScript, withCommandVerdicts } from "../policy/commands/script-reading.ts";
import { type DecisionInput, decide, type Floor, type JudgedRequest, type Mode } from "../policy/decide.ts";
import type { Verdict } from "../policy/verdict.ts";
import { type ResolvedCall, type ScriptPlace, toolOf } from "./call.ts";
import type { HookAnswers } from "./hooks/before-hooks.ts";
import { scriptKey } from "./script-key.ts";

/** The verdict by floor, rules, hooks and mode on what the tool says it would touch; no person is asked. */
export function findVerdict(call: ResolvedCall, answers: HookAnswers): Eventually<Verdict> {
  const { requests, opaque } = requestsOf(call);
  call.declared = requests;
  return decideOn(call, requests, { opaque, answers });
}

/** The verdict on these requests, once it is known where their paths really lead and what their script would do. */
export function decideOn(
  call: ResolvedCall,
  requests: readonly PermissionRequest[],
  { opaque = false, answers = {} }: { opaque?: boolean; answers?: HookAnswers } = {},
): Eventually<Verdict> {
  const asked = call.request.isDryRun ? requests.map(asPreview) : requests;
  const { rules, mode } = call.environment;
  const tool = call.resolved.entry.name;
  const by = { tool, opaque, rules, mode, ...(answers.ruling && { hook: answers.ruling }) };
  const script = asked.find(isScript);
  if (script !== undefined) return decideOnScript(call, { script, asked, by });
  if (!asked.some(namesPath)) return decide({ ...by, requests: asked });
  return judgeAll(call, asked).then((judged) => decide({ ...by, requests: judged }));
}

/** A script is decided on by what its commands would do. */
async function decideOnScript(
  call: ResolvedCall,
  {
    script,
    asked,
    by,
  }: { script: ScriptRequest; asked: readonly JudgedRequest[]; by: Omit<DecisionInput, "requests"> },
): Promise<Verdict> {
  const { readScript } = call.environment;
  if (readScript === undefined) return decide({ ...by, requests: asked, opaque: true });
  const { target, directory } = script;
  const reading = await readScript(target, directory);
  const others = asked.filter((request) => request !== script);
  const requests = await judgeAll(call, [...requestsOfScript(reading), ...others]);
  call.scripts ??= new Map();
  call.scripts.set(scriptKey(target, directory), placeOf(reading.directory, requests));
  const opaque = by.opaque || reading.commands.some(({ isOpaque }) => isOpaque);
  const input = { ...by, requests, opaque };
  return withCommandVerdicts(decide(input), reading, input);
}

/** What is outside or asked about by the floor is out of bounds for a sandbox, too, unless it was let through. */
function placeOf(directory: string, requests: readonly JudgedRequest[]): ScriptPlace {
  const lifted = (action: PermissionClass) =>
    requests.flatMap((request) =>
      request.action === action && request.path && (request.floor || !request.path.isInside)
        ? [request.path.real.absolute]
        : [],
    );
  return { directory, readable: lifted("read"), writable: lifted("write") };
}

/** A preview only looks; where it looks is still decided. */
function asPreview(request: PermissionRequest): PermissionRequest {
  return isScript(request) ? { action: "read" } : { ...request, action: "read" };
}

function requestsOf(call: ResolvedCall): { requests: readonly PermissionRequest[]; opaque: boolean } {
  const { permission, traits } = toolOf(call);
  if (permission !== undefined) {
    const declared = declare(() => permission(call.input));
    const requests = Array.isArray(declared) ? declared : [declared];
    if (!requests.every(isRequest))
      throw new ToolError("permission-denied", "the tool did not say what it would touch");
    if (requests.length > 0) return { requests, opaque: false };
  }
  if (traits.openWorld) return { requests: [{ action: "network" }], opaque: !traits.readOnly };
  if (traits.readOnly) return { requests: [{ action: "read" }], opaque: false };
  // A tool that says nothing of itself may do anything.
  return { requests: [{ action: "execute" }], opaque: true };
}

function isRequest(request: unknown): boolean {
  return permissionClasses.includes((request as PermissionRequest | undefined)?.action as PermissionClass);
}

function declare<Requests>(permission: () => Requests): Requests {
  try {
    return permission();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ToolError("permission-denied", `the tool could not say what it would touch: ${why}`, { cause });
  }
}

function judgeAll(call: ResolvedCall, requests: readonly JudgedRequest[]): Promise<JudgedRequest[]> {
  return Promise.all(requests.map((request) => judge(call, request)));
}

async function judge(call: ResolvedCall, request: JudgedRequest): Promise<JudgedRequest> {
  if (!namesPath(request)) return request;
  const { action, target, isLinkItself = false } = request;
  // A file tool is told what is wrong with its path; a command finds out by itself, if it may run.
  const judging = { action, followLast: !isLinkItself };
  const { path, floor } = await (request.command === undefined
    ? call.environment.judgePath(target, judging)
    : judgeOperand(call, target, judging));
  const lowered =
    request.command === undefined ? floor : beyondFileTools(floor, action, call.environment.mode);
  return { ...request, ...(path && { path }), ...(lowered && { floor: lowered }) };
}

/**
 * A command may be let out of the workspace, where its sandbox then lets it go too; a file tool never goes. What runs
 * unasked in mode auto could read there by other means.
 */
function beyondFileTools(floor: Floor | undefined, action: "read" | "write", mode: Mode): Floor | undefined {
  if (!floor?.isBoundary) return floor;
  return action === "read" && mode === "auto" && !floor.isSensitive
    ? undefined
    : { ...floor, decision: "ask" };
}

/** A path that goes back from what is not there leads nowhere now, and where its text says if that is made meanwhile. */
async function judgeOperand(
  { environment: { judgePath } }: ResolvedCall,
  target: string,
  judging: { action: "read" | "write"; followLast: boolean },
): Promise<Pick<JudgedRequest, "path" | "floor">> {
  try {
    return await judgePath(target, judging).catch(() => judgePath(resolve(target), judging));
  } catch (error) {
    return { floor: { decision: "ask", reason: error instanceof Error ? error.message : String(error) } };
  }
}

type PathRequest = JudgedRequest & { readonly action: "read" | "write"; readonly target: string };

type ScriptRequest = PermissionRequest & { readonly script: "bash"; readonly target: string };

function isScript(request: PermissionRequest): request is ScriptRequest {
  return request.script !== undefined && request.target !== undefined;
}

function namesPath(request: JudgedRequest): request is PathRequest {
  return request.target !== undefined && (request.action === "read" || request.action === "write");
}
