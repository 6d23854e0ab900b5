import { resolve } from "node:path";
import { relativeInside } from "../../shared/relative-inside.ts";
import type { PermissionRequest } from "../../tool/permission-request.ts";
import { requestsOfScript, withCommandVerdicts } from "./commands/script-reading.ts";
import { type DecisionInput, decide, type JudgedRequest, type Mode } from "./decide.ts";
import type { Floor } from "./paths/judge-path.ts";
import type { Place } from "./paths/place.ts";
import type { Policy } from "./policy.ts";
import type { Verdict } from "./verdict.ts";

/** What requests were judged to be, and the verdict on all of them together. */
export interface Judgement {
  readonly verdict: Verdict;
  readonly requests: readonly JudgedRequest[];
}

export interface JudgingParts extends Pick<Policy, "readScript"> {
  readonly by: Omit<DecisionInput, "requests">;
  readonly root: string;
  readonly floorOf: Policy["paths"]["floorOf"];
  locate(path: string, options: { followLast: boolean }): Promise<Place>;
}

/** The verdict on requests, once it is known where their paths really lead and what their script would do. */
export async function judgeRequests(
  requests: readonly PermissionRequest[],
  parts: JudgingParts,
): Promise<Judgement> {
  const script = requests.find(isScript);
  if (script !== undefined) return judgeScript(requests, script, parts);
  const judged = await lookAtPaths(requests, parts);
  return { requests: judged, verdict: decide({ ...parts.by, requests: judged }) };
}

/** Any other request can be decided on as it stands. */
export function needsInspection(request: PermissionRequest): boolean {
  return isScript(request) || namesPath(request);
}

/** A script is decided on by what its commands would do. */
async function judgeScript(
  requests: readonly PermissionRequest[],
  script: ScriptRequest,
  parts: JudgingParts,
): Promise<Judgement> {
  const { by, readScript } = parts;
  if (readScript === undefined) return { requests, verdict: decide({ ...by, requests, opaque: true }) };
  const reading = await readScript(script.target, script.directory);
  const others = requests.filter((request) => request !== script);
  const judged = await lookAtPaths([...requestsOfScript(reading), ...others], parts);
  const opaque = by.opaque || reading.commands.some(({ isOpaque }) => isOpaque);
  const input = { ...by, requests: judged, opaque };
  return { requests: judged, verdict: withCommandVerdicts(decide(input), reading, input) };
}

function lookAtPaths(requests: readonly JudgedRequest[], parts: JudgingParts): Promise<JudgedRequest[]> {
  return Promise.all(requests.map((request) => (namesPath(request) ? lookAtPath(request, parts) : request)));
}

async function lookAtPath(request: PathRequest, parts: JudgingParts): Promise<JudgedRequest> {
  const { target, isLinkItself = false } = request;
  const followLast = !isLinkItself;
  // A file tool is told what is wrong with its path; a command finds out by itself, if it may run.
  if (request.command === undefined)
    return atPlace(request, await parts.locate(target, { followLast }), parts);
  try {
    const place = await locateOperand(target, followLast, parts);
    const judged = atPlace(request, place, parts);
    return { ...judged, floor: beyondFileTools(judged.floor, request.action, parts.by.mode) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ...request, floor: { decision: "ask", reason } };
  }
}

/** A path that goes back from what is not there leads nowhere now, and where its text says if that is made meanwhile. */
function locateOperand(target: string, followLast: boolean, { locate }: JudgingParts): Promise<Place> {
  return locate(target, { followLast }).catch(() => locate(resolve(target), { followLast }));
}

/** A request for what is at a place, in the words that rules use. */
export function atPlace<Request extends PermissionRequest & { readonly action: "read" | "write" }>(
  request: Request,
  place: Place,
  { root, floorOf }: Pick<JudgingParts, "root" | "floorOf">,
): Request & JudgedRequest {
  const { canonical, relative, inside } = place;
  const written = resolve(root, place.written);
  const path = {
    real: { absolute: canonical, relative },
    written: { absolute: written, relative: relativeInside(root, written) },
    isInside: inside,
  };
  return { ...request, path, floor: floorOf(place, request.action) };
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

type PathRequest = JudgedRequest & { readonly action: "read" | "write"; readonly target: string };

type ScriptRequest = PermissionRequest & { readonly script: "bash"; readonly target: string };

export function isScript(request: PermissionRequest): request is ScriptRequest {
  return request.script !== undefined && request.target !== undefined;
}

function namesPath(request: JudgedRequest): request is PathRequest {
  return request.target !== undefined && (request.action === "read" || request.action === "write");
}
