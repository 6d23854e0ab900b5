import { dirname, relative, resolve } from "node:path";
import { isPlainObject } from "../../../shared/json.ts";
import { type AnyTool, defineTool, type UndoCall } from "../../../tool/define-tool.ts";
import type { PermissionRequest } from "../../../tool/permission-request.ts";
import type { ToolContext } from "../../../tool/tool-context.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { canonicalWording } from "../../../tool/wording.ts";
import type { DialectView, ResolvedName } from "../../dialects/dialect-view.ts";
import type { FileChange } from "../../events/file-change.ts";
import type { Receipt } from "../../events/receipt.ts";
import type { Place } from "../../policy/paths/place.ts";
import type { Policy } from "../../policy/policy.ts";
import type { Rule, Rules } from "../../policy/rules/rule.ts";
import type { CallHost, CallRequest, CallResult } from "../call.ts";
import { CallContext } from "../call-context.ts";
import { runCall } from "../run-call.ts";
import type { UndoRecord } from "./undo-store.ts";

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
  const tool = createUndoTool(host, target, direction);
  const dialect = createSingleToolView(tool, host.dialect);
  await host.policy.refresh?.();
  const policy = policyFor(host.policy, target);
  const log = withTurn(host, callId);
  return runCall({ ...host, dialect, policy, log }, { ...options, name: direction, input: { callId } });
}

/** That the call is undone is written together with the receipt of its undo, so that a crash cannot come between. */
function withTurn({ log, undo }: CallHost, callId: string): CallHost["log"] {
  return {
    ...log,
    finish(event) {
      if (event.receipt.status === "done") undo.turns.set(callId, event.callId);
      return log.finish(event);
    },
  };
}

export interface UndoRequest extends Pick<CallRequest, "id" | "signal" | "caller" | "onApproval"> {
  readonly callId: string;
  readonly direction: UndoDirection;
}

/** What to revert, or why it cannot be reverted. */
type Target = { readonly record: UndoRecord } | { readonly problem: ToolError };

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
  const [original] = await host.receipts({ callId });
  if (original === undefined)
    return {
      problem: new ToolError("not-found", `there is no call ${callId} in this session`, {
        hint: "Use the id of a call in this session; `toolwright log` lists them.",
      }),
    };
  const latest = await findLatestTurn(host, callId);
  const isUndone = latest?.tool === "undo";
  if (direction === "undo" && isUndone)
    return { problem: new ToolError("conflict", `${callId} has already been undone`) };
  if (direction === "redo" && !isUndone)
    return { problem: new ToolError("conflict", `${callId} has not been undone`) };
  const first = await readRecord(host, original);
  if (first === undefined) return { problem: cannotUndo(original, host.dialect) };
  if (latest === undefined) return { record: first };
  if (direction === "redo" && first.own !== undefined) return { problem: cannotRedo(original) };
  const record = await readRecord(host, latest);
  // The rules of the tool that made the original call apply.
  return record === undefined
    ? { problem: cannotUndo(original, host.dialect) }
    : { record: { ...record, tool: first.tool } };
}

/** The last time the call was undone or redone. */
async function findLatestTurn(host: CallHost, callId: string): Promise<Receipt | undefined> {
  const turn = host.undo.turns.get(callId);
  if (typeof turn !== "string") return undefined;
  const [receipt] = await host.receipts({ callId: turn });
  return receipt;
}

async function readRecord(host: CallHost, { undo }: Receipt): Promise<UndoRecord | undefined> {
  return undo === undefined ? undefined : host.undo.read(undo);
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

/** Only its file changes could be redone, which would be half of what it did. */
function cannotRedo({ callId, tool }: Receipt): ToolError {
  return new ToolError("unavailable", `${callId} cannot be redone: ${tool} undid it by its own means`, {
    hint: `Call ${tool} again.`,
  });
}

/** Rules and mode are looked up each time: they may change while a person decides on the undo. */
function policyFor(policy: Policy, target: Target): Policy {
  const { paths } = policy;
  let bound: { readonly from: Rules; readonly rules: Rules } | undefined;
  return {
    ...policy,
    get rules() {
      const { rules: from } = policy;
      if (!("record" in target)) return from;
      if (bound?.from !== from) bound = { from, rules: bindAs(from, target.record.tool) };
      return bound.rules;
    },
    get mode() {
      return policy.mode;
    },
    get broken() {
      return policy.broken;
    },
    resolveForVerdict: (path, options) => resolveNearest(paths, path, options),
  };
}

/** Rules for a tool apply to the undo of its calls too. */
function bindAs({ deny, ask, allow }: Rules, doneBy: string): Rules {
  const bind = (rule: Rule): Rule => ({
    ...rule,
    matchesTool: (tool) => rule.matchesTool(tool) || rule.matchesTool(doneBy),
  });
  return { deny: deny.map(bind), ask: ask.map(bind), allow: allow.map(bind) };
}

function createUndoTool(host: CallHost, target: Target, direction: UndoDirection) {
  const { workspace } = host.session;
  return defineTool({
    name: direction,
    description: direction === "undo" ? "Undo a call's changes." : "Redo a call that was undone.",
    params: { callId: { type: "string" } },
    permission: () => requestsFor(target),
    async run({ callId }, context) {
      if ("problem" in target) throw target.problem;
      const left = await undoItself(host, target.record, context);
      await host.undo.revert(left, CallContext.serviceCallOf(context));
      return { callId, paths: [...changedPaths(context)].map((path) => relative(workspace, path)) };
    },
    toText: ({ callId, paths }) =>
      [`${direction === "undo" ? "Undid" : "Redid"} ${callId}.`, ...paths].join("\n"),
  });
}

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
  { tool, changes, own }: UndoRecord,
  context: ToolContext,
): Promise<readonly FileChange[]> {
  if (own === undefined) return changes;
  const undo = host.dialect.resolve(tool)?.entry.tool.undo;
  if (undo === undefined)
    throw new ToolError("unavailable", `${tool} made this call, and is no longer available to undo it`);
  // The tool's own undo cannot be redone, so make sure first that the files can be reverted as well.
  const { id, deadline } = CallContext.serviceCallOf(context);
  await host.undo.revert(changes, { id, deadline, isPreview: true, noteChange: () => {} });
  const byCall = await makeUndoCall(host, await undo(own, context), context);
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
