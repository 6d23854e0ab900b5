import { resolve } from "node:path";
import type { ReadEffects, ScriptReading } from "../../machine/command-reading/read-command.ts";
import type { Place } from "../../machine/paths/index.ts";
import { relativeInside } from "../../shared/relative-inside.ts";
import type { PermissionRequest } from "../../tool/permission-request.ts";
import type { Confinement, Doubt } from "./confinement/confinement.ts";
import type { FoundSecret } from "./confinement/secrets-in-sight.ts";
import { type DecisionInput, decide, effectsOf, type Mode, strictestRuling } from "./decide.ts";
import type { Floor } from "./paths/judge-path.ts";
import type { Policy } from "./policy.ts";
import type { JudgedRequest } from "./rules/match-request.ts";
import type { CommandVerdict, Verdict } from "./verdict.ts";

/** Requests with their paths resolved, and the verdict on all of them together. */
export interface Judgement {
  readonly verdict: Verdict;
  readonly requests: readonly JudgedRequest[];
}

interface JudgingParts {
  readonly by: Omit<DecisionInput, "requests">;
  readonly policy: Policy;
  locate(path: string, options: { followLast: boolean }): Promise<Place>;
}

/** Resolves the requests' paths, reads their script, and decides. */
export async function judgeRequests(
  requests: readonly PermissionRequest[],
  parts: JudgingParts,
): Promise<Judgement> {
  const script = requests.find(isScript);
  if (script !== undefined) return judgeScript(requests, script, parts);
  const judged = await lookAtPaths(requests, parts);
  return { requests: judged, verdict: decide({ ...parts.by, requests: judged }) };
}

/** Whether a request names a path or a script; all others are decided without looking at the disk. */
export function needsInspection(request: JudgedRequest): boolean {
  return isScript(request) || namesPath(request) || namesLocalHost(request);
}

/** Replaces the script's request by the requests of its commands, and decides on those. */
async function judgeScript(
  requests: readonly PermissionRequest[],
  script: ScriptRequest,
  parts: JudgingParts,
): Promise<Judgement> {
  const { by, policy } = parts;
  if (policy.readScript === undefined)
    return { requests, verdict: decide({ ...by, requests, opaque: true }) };
  const reading = await policy.readScript(script.target, script.directory);
  const others = requests.filter((request) => request !== script);
  const looked = (await lookAtPaths([...requestsOfScript(reading), ...others], parts)).map(judgeEntered);
  const judged = await addDoubts(looked, await policy.confinement?.());
  const opaque = by.opaque || reading.commands.some(({ effects }) => effects.opaque);
  const input = { ...by, requests: judged, opaque };
  return { requests: judged, verdict: withCommandVerdicts(decide(input), reading, input) };
}

/** Marks what a command may do against a rule without naming the path, unless its sandbox would stop it. */
function addDoubts(
  requests: readonly JudgedRequest[],
  confinement: Confinement | undefined,
): Promise<readonly JudgedRequest[]> | readonly JudgedRequest[] {
  if (confinement === undefined) return requests;
  return Promise.all(
    requests.map(async (request) => {
      if (request.command === undefined) return request;
      return { ...request, doubt: await doubtAbout(request, confinement) };
    }),
  );
}

async function doubtAbout(request: JudgedRequest, confinement: Confinement): Promise<Doubt | undefined> {
  const { action, path, command } = request;
  if (action === "execute") return confinement.doubtAboutAnything();
  if (path === undefined || (action !== "read" && action !== "write")) return undefined;
  const history = command?.showsHistory ? await confinement.doubtAboutHistory(command.repository) : undefined;
  return history ?? confinement.doubtAboutFolder(action, path.real.absolute, { isMoved: isMoved(request) });
}

function lookAtPaths(requests: readonly JudgedRequest[], parts: JudgingParts): Promise<JudgedRequest[]> {
  return Promise.all(
    requests.map((request) => {
      if (namesPath(request)) return lookAtPath(request, parts);
      return namesLocalHost(request) ? lookAtHost(request, parts) : request;
    }),
  );
}

async function lookAtHost(
  request: LocalHostRequest,
  { by, policy: { isOwnHost = () => false } }: JudgingParts,
) {
  // Loaded only for addresses and `localhost`, to keep the start fast.
  const { judgeHost } = await import("./hosts/judge-host.ts");
  return { ...request, floor: judgeHost(request.target, { rules: by.rules, isOwnHost }) };
}

async function lookAtPath(request: PathRequest, parts: JudgingParts): Promise<JudgedRequest> {
  const { target, isLinkItself = false, byProgram = false } = request;
  const followLast = !isLinkItself;
  // For a file tool a bad path is an error; a command may still run and report the problem itself.
  if (request.command === undefined && !byProgram)
    return atPlace(request, await parts.locate(target, { followLast }), parts.policy.paths);
  try {
    const place = await locateOperand(target, followLast, parts);
    if (place.links.some(isOfProcess)) {
      const reason = `${target} leads elsewhere for every process`;
      return { ...request, floor: { decision: "ask", reason } };
    }
    const judged = atPlace(request, place, parts.policy.paths);
    const floor = relaxForCommands(judged.floor, request.action, parts.by.mode);
    return { ...judged, floor: floor ?? (await judgeFolder(request, place, parts)) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ...request, floor: { decision: "ask", reason } };
  }
}

/**
 * The settings of a submodule can make git run programs, and a person has not seen those that a command has made or
 * changed.
 */
function judgeEntered(request: JudgedRequest): JudgedRequest {
  const [entered] = request.command?.enters ?? [];
  if (entered === undefined || request.floor !== undefined) return request;
  const reason = `git would use the settings of ${entered}, a submodule that a command has made or changed`;
  return { ...request, floor: { decision: "ask", reason } };
}

/**
 * A command that shows the content of a folder shows its secrets too, unless they are hidden from it. One that moves it
 * takes them to where nothing hides them.
 */
async function judgeFolder(
  request: PathRequest,
  { canonical, kind }: Place,
  { policy }: JudgingParts,
): Promise<Floor | undefined> {
  const { action, command } = request;
  const use = isMoved(request) ? "moved" : command?.shows;
  if (action !== "read" || kind !== "directory" || use === undefined) return undefined;
  const found = await policy.findSecretIn?.(canonical, use);
  if (found === undefined) return undefined;
  const verb = use === "moved" ? "moves" : "may show";
  const reasons: Record<FoundSecret["kind"], string> = {
    record: `it ${verb} ${found.path}, which belongs to Toolwright's own records`,
    secret: `it ${verb} ${found.path}, which may hold secrets`,
    unknown: `${found.path} holds too much to be searched for secrets`,
  };
  return { decision: "ask", reason: reasons[found.kind] };
}

/** Whether a command takes a path to another place, where no rule, mount or record is about its content. */
function isMoved({ target, command }: JudgedRequest): boolean {
  return target !== undefined && command?.moves?.has(target) === true;
}

/** Links such as `/proc/self/cwd`: the command would follow its own, not ours. */
function isOfProcess(link: string): boolean {
  return /^\/proc\/(?:self$|thread-self$|\d+\/(?:task\/\d+\/)?(?:cwd$|root$|exe$|fd\/|map_files\/))/.test(
    link,
  );
}

/** `missing/../x` fails to resolve now, but means `x` if an earlier command creates the folder; so judge it as `x`. */
function locateOperand(target: string, followLast: boolean, { locate }: JudgingParts): Promise<Place> {
  return locate(target, { followLast }).catch(() => locate(resolve(target), { followLast }));
}

/** The request with its place in the form that rules match, and the floor's verdict. */
export function atPlace<Request extends PermissionRequest & { readonly action: "read" | "write" }>(
  request: Request,
  place: Place,
  { root, floorOf }: Pick<Policy["paths"], "root" | "floorOf">,
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
 * Outside the workspace, the floor denies file tools but only asks for commands, whose sandbox then opens that path. In
 * mode auto it allows plain reads there: a command could do them in another way.
 */
function relaxForCommands(floor: Floor | undefined, action: "read" | "write", mode: Mode): Floor | undefined {
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
  const { action, previewOf = action, target } = request;
  return target !== undefined && (previewOf === "read" || previewOf === "write");
}

type LocalHostRequest = JudgedRequest & { readonly target: string };

/** Whether the web service would connect to an address, or to a name that means this machine. */
function namesLocalHost(request: JudgedRequest): request is LocalHostRequest {
  const { action, target, isGuarded } = request;
  if (isGuarded !== true || action !== "network" || target === undefined) return false;
  return /^\[|^[\d.]+(?::|$)|(?:^|\.)localhost(?::|$)/.test(target);
}

/** The requests of all commands of a script, each marked with its command. */
function requestsOfScript({ commands, readMeaning }: ScriptReading): JudgedRequest[] {
  return commands.flatMap(({ text, effects, argv, wrapped, files, isPlain, isTricky, why }, index) => {
    const command = { ...effects, index, why, argv, wrapped, files, isPlain, isTricky, readMeaning };
    return requestsFor(text, effects).map((request) => ({ ...request, command }));
  });
}

/** The requests of one command: at least one, so that each command has its verdict. */
function requestsFor(text: string, { reads, writes, hosts, doesMore }: ReadEffects): PermissionRequest[] {
  const requests = [
    ...reads.map((target) => ({ action: "read", target }) as const),
    ...writes.map((target) => ({ action: "write", target }) as const),
    ...hosts.map((target) => ({ action: "network", target }) as const),
    ...(doesMore ? [{ action: "execute", target: text } as const] : []),
  ];
  return requests.length === 0 ? [{ action: "read" }] : requests;
}

/** Adds the verdicts on each command to a script's verdict. */
function withCommandVerdicts(verdict: Verdict, reading: ScriptReading, input: DecisionInput): Verdict {
  const { category, directory } = reading;
  const requestsOf = Map.groupBy(input.requests, (request) => request.command?.index);
  const commands = reading.commands.map((command, index): CommandVerdict => {
    const own = requestsOf.get(index) ?? [];
    const { decision, reason } = strictestRuling(own, input);
    const { text, parsed, category: ownCategory, inside, effects } = command;
    return {
      text,
      category: ownCategory,
      ...(parsed && index < maxParsed && { parsed }),
      decision,
      reason,
      effects: effectsOf(own, effects.opaque),
      ...(inside !== undefined && { inside }),
    };
  });
  return { ...verdict, category, directory, commands };
}

// A person would not read more, and every receipt has them.
const maxParsed = 100;
