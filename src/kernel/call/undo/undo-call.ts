import { dirname, relative, resolve } from "node:path";
import type { Place } from "../../../machine/paths/index.ts";
import { isPlainObject } from "../../../shared/json.ts";
import type { JsonSchema } from "../../../shared/json-schema/json-schema.ts";
import { type AnyTool, defineTool, type UndoCall } from "../../../tool/define-tool.ts";
import type { PermissionRequest } from "../../../tool/permission-request.ts";
import type { ToolContext } from "../../../tool/tool-context.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { canonicalWording } from "../../../tool/wording.ts";
import type { DialectView, ResolvedName } from "../../dialects/index.ts";
import { type FileChange, joinChanges, type Receipt, type SessionEvent } from "../../events/index.ts";
import type { Policy, Rule, Rules } from "../../policy/index.ts";
import type { UndoRecord } from "../../store/index.ts";
import type { CallRequest, CallResult } from "../call.ts";
import { CallContext } from "../call-context.ts";
import type { CallHost } from "../call-host.ts";
import { runHandler } from "../execute.ts";
import { runCall } from "../run-call.ts";

type UndoDirection = "undo" | "redo";

/**
 * Undoes a call's changes, or redoes them. This is a call like any other: judged and recorded. A redo reverts the
 * undo's own changes.
 */
export async function undoCall(
  host: CallHost,
  { callId, direction, ...options }: UndoRequest,
): Promise<CallResult> {
  const target = await findTarget(host, callId, direction).catch(asProblem);
  const turn = (by: string) => host.kept.undo.turns.set(callId, by);
  const revert = { name: direction, input: { callId }, target, turn } as const;
  return revertByCall(host, { ...revert, subject: callId }, options);
}

/** Reverts changes by a separate call, which is judged and recorded like any other. */
export async function revertByCall(
  host: CallHost,
  revert: Revert,
  options: RevertOptions,
): Promise<CallResult> {
  const { name, input, target } = revert;
  const tool = createUndoTool(host, revert);
  const dialect = createSingleToolView(tool, host.dialect);
  await host.policy.refresh?.();
  const policy = policyFor(host.policy, "record" in target ? target.tools : undefined);
  const log = withTurn(host.log, revert);
  return runCall({ ...host, dialect, policy, log }, { ...options, name, input });
}

/** Changes to take back, and the events that are recorded with that. */
export interface Revert {
  readonly name: UndoDirection | "rewind";
  readonly input: unknown;
  /** Names the calls that are undone, in words. */
  readonly subject: string;
  readonly target: Target;
  /** Notes which calls the call with this id has turned. */
  turn(by: string): void;
  /** Written together with the receipt of a revert that succeeded. */
  readonly events?: readonly SessionEvent[];
}

type RevertOptions = Pick<CallRequest, "id" | "signal" | "caller" | "onApproval">;

/** That calls are undone is written together with the receipt of the undo, so that a crash cannot come between. */
function withTurn(log: CallHost["log"], { turn, events }: Revert): CallHost["log"] {
  return {
    ...log,
    finish(event) {
      const isDone = event.receipt.status === "done";
      if (isDone) turn(event.callId);
      return log.finish(event, isDone ? events : undefined);
    },
  };
}

export interface UndoRequest extends RevertOptions {
  readonly callId: string;
  readonly direction: UndoDirection;
}

/** What to revert, or why it cannot be reverted. */
type Target =
  | {
      readonly record: Pick<UndoRecord, "changes" | "own">;
      /** Those that made the changes; their rules apply. */
      readonly tools: readonly string[];
    }
  | { readonly problem: ToolError };

/** A failed lookup becomes the call's error, like any other. */
function asProblem(cause: unknown): Target {
  const why = cause instanceof Error ? cause.message : String(cause);
  return {
    problem: new ToolError("store-failed", `the call to undo could not be looked up: ${why}`, { cause }),
  };
}

async function findTarget(host: CallHost, callId: string, direction: UndoDirection): Promise<Target> {
  if (typeof callId !== "string")
    return { problem: new ToolError("invalid-input", "a call's id must be a string") };
  const attempts = await host.kept.receipts({ callId });
  const original = attempts.find(({ undo }) => undo !== undefined) ?? attempts[0];
  if (original === undefined)
    return {
      problem: new ToolError("not-found", `there is no call ${callId} in this session`, {
        hint: "Use the id of a call in this session; `toolwright log` lists them.",
      }),
    };
  const latest = await findLatestTurn(host, callId);
  const isUndone = latest !== undefined && (await holds(host, latest));
  if (direction === "undo" && isUndone)
    return { problem: new ToolError("conflict", `${callId} has already been undone`) };
  if (direction === "redo" && !isUndone)
    return { problem: new ToolError("conflict", `${callId} has not been undone`) };
  const first = await readAttempts(host, attempts);
  if (first === undefined) return { problem: cannotUndo(original, host.dialect) };
  const tools = [first.tool];
  if (latest === undefined) return { record: first, tools };
  if (direction === "redo" && first.own !== undefined) return { problem: cannotRedo(original) };
  if (latest.tool === "rewind")
    return direction === "undo" ? { record: first, tools } : { problem: undoneWithOthers(original, latest) };
  const record = await readRecord(host, latest);
  return record === undefined ? { problem: cannotUndo(original, host.dialect) } : { record, tools };
}

/** Whether a turn leaves its call undone. A rewind is a call too, which may itself have been undone. */
async function holds(host: CallHost, { tool, callId }: Receipt): Promise<boolean> {
  if (tool !== "rewind") return tool === "undo";
  const turn = await findLatestTurn(host, callId);
  return turn === undefined || !(await holds(host, turn));
}

/** The last time the call was undone, redone or rewound. */
async function findLatestTurn(host: CallHost, callId: string): Promise<Receipt | undefined> {
  const turn = host.kept.undo.turns.get(callId);
  if (typeof turn !== "string") return undefined;
  const [receipt] = await host.kept.receipts({ callId: turn });
  return receipt;
}

/** A call that was made again after a crash has changed what both attempts have. The newest comes first. */
async function readAttempts(host: CallHost, attempts: readonly Receipt[]): Promise<UndoRecord | undefined> {
  let all: UndoRecord | undefined;
  for (const attempt of attempts.filter(({ undo }) => undo !== undefined)) {
    const record = await readRecord(host, attempt);
    if (record === undefined) return undefined;
    all = all === undefined ? record : { ...all, changes: joinChanges(record.changes, all.changes) };
  }
  return all;
}

async function readRecord(host: CallHost, { undo }: Receipt): Promise<UndoRecord | undefined> {
  return undo === undefined ? undefined : host.kept.undo.read(undo);
}

function cannotUndo({ callId, tool, undo }: Receipt, dialect: DialectView): ToolError {
  const traits = dialect.resolve(tool)?.entry.tool.traits;
  const isFollowed = traits?.readOnly || traits?.changesFilesOnly;
  const untouched = isFollowed
    ? `${tool} changed nothing`
    : `what ${tool} changes is not recorded, so it cannot be taken back`;
  const why = undo === undefined ? untouched : "the old content is no longer kept";
  return new ToolError("unavailable", `${callId} cannot be undone: ${why}`);
}

/** Its changes were taken back together with those of others, which may have built on them. */
function undoneWithOthers({ callId }: Receipt, rewind: Receipt): ToolError {
  return new ToolError("unavailable", `${callId} was undone by a rewind, and cannot be redone alone`, {
    hint: `Undo the rewind, ${rewind.callId}: that brings back all the files it changed.`,
  });
}

/** Only its file changes could be redone, which would be half of what it did. */
function cannotRedo({ callId, tool }: Receipt): ToolError {
  return new ToolError("unavailable", `${callId} cannot be redone: ${tool} undid it by its own means`, {
    hint: `Call ${tool} again.`,
  });
}

function createUndoTool(host: CallHost, { name, target, subject }: Revert) {
  const { workspace } = host.session;
  const [description, done] = words[name];
  return defineTool({
    name,
    description,
    input: name === "rewind" ? rewindInput : turnInput,
    permission: () => requestsFor(target),
    async run(input, context) {
      if ("problem" in target) throw target.problem;
      const left = await undoItself(host, target, context);
      await host.kept.undo.revert(left, CallContext.serviceCallOf(context));
      const { callId } = input as { callId?: string };
      const paths = [...changedPaths(context)].map((path) => relative(workspace, path));
      return { ...(callId !== undefined && { callId }), paths };
    },
    toText: ({ paths }) => [`${done} ${subject}.`, ...paths].join("\n"),
  });
}

const turnInput: JsonSchema = {
  type: "object",
  properties: { callId: { type: "string" } },
  required: ["callId"],
};

const rewindInput: JsonSchema = {
  type: "object",
  properties: { before: { type: "integer" }, calls: { type: "array", items: { type: "string" } } },
  required: ["before", "calls"],
};

const words: Record<Revert["name"], readonly [description: string, done: string]> = {
  undo: ["Undo a call's changes.", "Undid"],
  redo: ["Redo a call that was undone.", "Redid"],
  rewind: ["Take back what was changed since a message.", "Took back"],
};

function requestsFor(target: Target): readonly PermissionRequest[] {
  // An undo that cannot happen needs no approval.
  if ("problem" in target) return [{ action: "read" }];
  const { changes, own } = target.record;
  const paths = [...new Set(changes.map(({ path }) => path))];
  const writes = paths.map((path) => ({ action: "write", target: path, isLinkItself: true }) as const);
  return own === undefined ? writes : [...writes, { action: "execute" }];
}

/** Runs the tool's own `undo`, if it has one. Returns the changes that are left to revert. */
async function undoItself(
  host: CallHost,
  { record: { changes, own }, tools: [tool = ""] }: Extract<Target, { record: unknown }>,
  context: ToolContext,
): Promise<readonly FileChange[]> {
  if (own === undefined) return changes;
  const made = host.dialect.resolve(tool)?.entry.tool;
  if (made?.undo === undefined)
    throw new ToolError("unavailable", `${tool} made this call, and is no longer available to undo it`);
  // The tool's own undo cannot be redone, so make sure first that the files can be reverted as well.
  const { id, deadline } = CallContext.serviceCallOf(context);
  await host.kept.undo.revert(changes, { id, deadline, isPreview: true, noteChange: () => {} });
  const byCall = await makeUndoCall(
    host,
    await runHandler(host, made, { handler: "undo", given: own, context }),
    context,
  );
  const touched = new Set([...changedPaths(context), ...byCall]);
  return changes.filter(({ path }) => !touched.has(path));
}

/**
 * A tool may leave its undo to another call, which needs its own permission and leaves its own receipt. Returns the paths
 * that it has changed.
 */
async function makeUndoCall(
  host: CallHost,
  answer: unknown,
  context: ToolContext,
): Promise<readonly string[]> {
  if (!isUndoCall(answer)) return [];
  const { caller, signal } = context;
  const { name, input } = answer.call;
  const { error, receipt } = await runCall(host, { name, input, caller, signal });
  if (error !== undefined)
    throw new ToolError(error.code, `${name}, which would undo it, failed: ${error.message}`, error);
  return receipt.effects.writes.map((path) => resolve(host.session.workspace, path));
}

function isUndoCall(answer: unknown): answer is UndoCall {
  return isPlainObject(answer) && isPlainObject(answer.call) && typeof answer.call.name === "string";
}

/** Paths that the call has changed so far. */
function changedPaths(context: ToolContext): ReadonlySet<string> {
  return new Set(CallContext.changesOf(context).map(({ path }) => path));
}

/** A view in which every name means one tool that is not registered; messages stay in the session's dialect. */
function createSingleToolView(tool: AnyTool, view: DialectView): DialectView {
  const resolved: ResolvedName = {
    entry: { name: tool.name, tool, layer: "builtin", source: "built-in" },
    spokenName: tool.name,
    wording: canonicalWording,
    showsAbsolutePaths: false,
    outputLimit: { maxCharacters: 30_000, headShare: 0.8 },
    inputSchema: tool.inputSchema,
    translateInput: (input) => ({ ok: true, input }),
    translateIssue: (issue) => issue,
    encodeResult: ({ data, text }) => ({ data, text }),
  };
  return { ...view, resolve: () => resolved };
}

/**
 * The policy for taking back what these tools have changed. Rules and mode are looked up each time: they may change while a
 * person decides on it.
 */
function policyFor(policy: Policy, tools: readonly string[] | undefined): Policy {
  const { paths } = policy;
  let bound: { readonly from: Rules; readonly rules: Rules } | undefined;
  return {
    ...policy,
    get current() {
      const { current } = policy;
      const { rules: from } = current;
      if (tools === undefined) return current;
      if (bound?.from !== from) bound = { from, rules: bindAs(from, tools) };
      return { ...current, rules: bound.rules };
    },
    resolveForVerdict: (path, options) => resolveNearest(paths, path, options),
  };
}

/** Rules for a tool apply to the undo of its calls too. Of several tools, one is enough to deny; to allow, it takes all. */
function bindAs({ deny, ask, allow }: Rules, doneBy: readonly string[]): Rules {
  const bind = (rules: readonly Rule[], isAbout: (matchesTool: Rule["matchesTool"]) => boolean) =>
    rules.map((rule) => (isAbout(rule.matchesTool) ? { ...rule, matchesTool: () => true } : rule));
  const some = (matchesTool: Rule["matchesTool"]) => doneBy.some(matchesTool);
  const all = (matchesTool: Rule["matchesTool"]) => doneBy.length > 0 && doneBy.every(matchesTool);
  return { deny: bind(deny, some), ask: bind(ask, some), allow: bind(allow, all) };
}

/** If a parent folder is no longer a folder, resolves the nearest path that exists; reverting finds the conflict. */
async function resolveNearest(
  paths: Policy["paths"],
  path: string,
  options: Parameters<Policy["paths"]["resolve"]>[1],
): Promise<Place> {
  try {
    return await paths.resolve(path, options);
  } catch (error) {
    const isBlocked = error instanceof ToolError && error.code === "not-a-directory";
    if (!isBlocked || dirname(path) === path) throw error;
    return resolveNearest(paths, dirname(path), options);
  }
}
