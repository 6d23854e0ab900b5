import { dirname, relative } from "node:path";
import type { AnyTool } from "../../../tool/define-tool.ts";
import { defineTool } from "../../../tool/define-tool.ts";
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
 * Takes back what a call did, or does it again. It is a call like any other: decided, recorded, and itself the thing
 * that is taken back when it is redone.
 */
export async function undoCall(
  host: CallHost,
  { callId, direction, ...options }: UndoRequest,
): Promise<CallResult> {
  const target = await findTarget(host, callId, direction).catch(asProblem);
  const tool = createUndoTool(host, target, direction);
  const dialect = createSingleToolView(tool, host.dialect);
  const policy = policyFor(host.policy, target);
  const result = await runCall(
    { ...host, dialect, policy },
    { ...options, name: direction, input: { callId } },
  );
  if (result.status === "done") host.undo.turns.set(callId, result.callId);
  return result;
}

export interface UndoRequest extends Pick<CallRequest, "id" | "signal" | "caller"> {
  readonly callId: string;
  readonly direction: UndoDirection;
}

/** What has to be reverted, or why nothing can be. */
type Target = { readonly record: UndoRecord } | { readonly problem: ToolError };

/** Looking for it may fail; the call then tells why, like any other. */
function asProblem(cause: unknown): Target {
  const why = cause instanceof Error ? cause.message : String(cause);
  return { problem: new ToolError("store-failed", `what to undo could not be looked up: ${why}`, { cause }) };
}

async function findTarget(host: CallHost, callId: string, direction: UndoDirection): Promise<Target> {
  if (typeof callId !== "string")
    return { problem: new ToolError("invalid-input", "a call's id must be a string") };
  const [original] = await host.receipts({ callId });
  if (original === undefined)
    return { problem: new ToolError("not-found", `there is no call ${callId} in this session`) };
  const latest = await findLatestTurn(host, callId);
  const isUndone = latest?.tool === "undo";
  if (direction === "undo" && isUndone)
    return { problem: new ToolError("conflict", `${callId} is undone already`) };
  if (direction === "redo" && !isUndone)
    return { problem: new ToolError("conflict", `${callId} has not been undone`) };
  const first = await readRecord(host, original);
  if (first === undefined) return { problem: cannotUndo(original) };
  if (latest === undefined) return { record: first };
  if (direction === "redo" && first.own !== undefined) return { problem: cannotRedo(original) };
  const record = await readRecord(host, latest);
  // Whose rules bind it is a matter of who did it first.
  return record === undefined
    ? { problem: cannotUndo(original) }
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

function cannotUndo({ callId, tool, undo }: Receipt): ToolError {
  const why =
    undo === undefined
      ? `${tool} changed nothing that could be taken back`
      : "what it changed is no longer kept";
  return new ToolError("unavailable", `${callId} cannot be undone: ${why}`);
}

/** Its files alone could be brought back, which would be half of what it did. */
function cannotRedo({ callId, tool }: Receipt): ToolError {
  return new ToolError("unavailable", `${callId} cannot be redone: ${tool} took it back in its own way`, {
    hint: `Call ${tool} again.`,
  });
}

function policyFor(policy: Policy, target: Target): Policy {
  const { rules, paths } = policy;
  return {
    ...policy,
    rules: "record" in target ? bindAs(rules, target.record.tool) : rules,
    resolveForVerdict: (path, options) => resolveNearest(paths, path, options),
  };
}

/** What a tool may touch, may not touch or has to ask about, its undo may, may not or has to ask about too. */
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
    description: direction === "undo" ? "Take back what a call did." : "Do again what was taken back.",
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
  // What cannot be done anyway needs nobody's leave.
  if ("problem" in target) return [{ action: "read" }];
  const { changes, own } = target.record;
  const paths = [...new Set(changes.map(({ path }) => path))];
  const writes = paths.map((path) => ({ action: "write", target: path, isLinkItself: true }) as const);
  return own === undefined ? writes : [...writes, { action: "execute" }];
}

/** Where the tool knows how, it begins; gives the changes that are then left to be reverted. */
async function undoItself(
  host: CallHost,
  { tool, changes, own }: UndoRecord,
  context: ToolContext,
): Promise<readonly FileChange[]> {
  if (own === undefined) return changes;
  const undo = host.dialect.resolve(tool)?.entry.tool.undo;
  if (undo === undefined)
    throw new ToolError("unavailable", `${tool}, which did it, is no longer here to undo it`);
  // What the tool takes back cannot be had again, so the files must be known to follow.
  const { deadline } = CallContext.serviceCallOf(context);
  await host.undo.revert(changes, { deadline, isPreview: true, noteChange: () => {} });
  await undo(own, context);
  const touched = changedPaths(context);
  return changes.filter(({ path }) => !touched.has(path));
}

/** What the call has changed so far. */
function changedPaths(context: ToolContext): ReadonlySet<string> {
  return new Set(CallContext.changesOf(context).map(({ path }) => path));
}

/** Where a folder on the way has become something else, as far as the path goes; the conflict is found later. */
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

/** A view in which every name leads to one tool that is in no catalogue; messages stay those of the session's dialect. */
function createSingleToolView(tool: AnyTool, view: DialectView): DialectView {
  const resolved: ResolvedName = {
    entry: { name: tool.name, tool, layer: "builtin", source: "built-in" },
    spokenName: tool.name,
    wording: canonicalWording,
    outputLimit: { maxCharacters: 30_000, headShare: 0.8 },
    translateInput: (input) => ({ ok: true, input }),
    translateIssue: (issue) => issue,
    encodeData: (data) => data,
  };
  return { ...view, resolve: () => resolved };
}
