import type {
  AgentContext,
  PermissionOption,
  ToolCallContent,
  ToolCallUpdate,
} from "@agentclientprotocol/sdk";
import {
  type ApprovalDecision,
  type ApprovalHandler,
  type ApprovalRequest,
  approvalPages,
} from "../../kernel/people/index.ts";
import type { Session } from "../../kernel/runtime/index.ts";
import { fencedText } from "../../shared/markdown/fenced-text.ts";
import { markRows } from "../../shared/text/mark-rows.ts";
import { diffContent, type ToolCallView } from "./tool-call-view.ts";

/** The editor in which a session's calls ask their person. */
export interface EditorOfSession {
  readonly client: Pick<AgentContext, "request">;
  readonly session: Session;
  readonly view: ToolCallView;
  readonly workspace: string;
  /** The editor's name, for the record: only it knows whether a person answered. */
  readonly by: string;
  /** Resolves when the editor was told of all events so far, the call included. */
  catchUp(): Promise<void>;
}

/** Asks in the editor. Everything that the call would do is shown; only a clear yes to all of it allows. */
export function askPermission({
  client,
  session,
  view,
  workspace,
  by,
  catchUp,
}: EditorOfSession): ApprovalHandler {
  return async (request, signal): Promise<ApprovalDecision> => {
    const ask = async (
      content: ToolCallContent[],
      options: PermissionOption[],
    ): Promise<string | undefined> => {
      const toolCall: ToolCallUpdate = {
        toolCallId: request.callId,
        title: view.title(request.tool, request.input, nameOf(request)),
        kind: view.kindOf(request.tool),
        status: "pending",
        content,
        rawInput: request.input,
      };
      const { outcome } = await client.request(
        "session/request_permission",
        { sessionId: session.id, toolCall, options },
        { cancellationSignal: signal, stopWaitingOnCancel: true },
      );
      if (outcome.outcome !== "selected") return undefined;
      return options.find(({ optionId }) => optionId === outcome.optionId)?.optionId;
    };
    await catchUp();
    const pages = approvalPages(request);
    if (pages === undefined) return { decision: "deny", by, note: "it is too long for a person to read" };
    for (const [index, page] of pages.slice(0, -1).entries()) {
      const part = `Part ${index + 1} of ${pages.length} of one request:\n${page}`;
      const answer = await ask([textOf(part)], pageOptions);
      if (answer !== "read-on") return { decision: "deny", by };
    }
    const diffs = diffContent(request.sessionId === session.id ? (request.preview ?? "") : "", workspace);
    const answer = await ask([textOf(pages.at(-1) ?? ""), ...diffs], optionsFor(request));
    if (answer === undefined) return { decision: "deny", by, note: "cancelled" };
    if (answer === "always") {
      const confirmed = await ask([rulesOf(request)], storeOptions);
      return confirmed === "store" ? { decision: "allow", lasts: "always", by } : { decision: "deny", by };
    }
    if (answer === "session") return { decision: "allow", lasts: "session", by };
    if (answer === "stop") return { decision: "deny", stop: true, by };
    return { decision: answer === "allow" ? "allow" : "deny", by };
  };
}

const reject: PermissionOption = { optionId: "reject", name: "Reject", kind: "reject_once" };
const longerOptions: PermissionOption[] = [
  { optionId: "session", name: "Allow for this session", kind: "allow_always" },
  { optionId: "always", name: "Always allow (shows the rule first)", kind: "allow_always" },
];
const storeOptions: PermissionOption[] = [
  { optionId: "store", name: "Store it", kind: "allow_always" },
  reject,
];

/** A call that no rule could describe exactly can only be allowed once. */
function optionsFor({ rules }: ApprovalRequest): PermissionOption[] {
  return [
    { optionId: "allow", name: "Allow once", kind: "allow_once" },
    ...(rules === undefined ? [] : longerOptions),
    reject,
    { optionId: "stop", name: "Reject and stop", kind: "reject_once" },
  ];
}

function rulesOf({ rules = [] }: ApprovalRequest): ToolCallContent {
  const shown = rules.flatMap((rule) => markRows(rule, 60));
  return textOf(`This would be among your own rules for this project from now on:\n${shown.join("\n")}`);
}

const pageOptions: PermissionOption[] = [
  { optionId: "read-on", name: "Read on (nothing is allowed yet)", kind: "allow_once" },
  reject,
];

function textOf(text: string): ToolCallContent {
  return { type: "content", content: { type: "text", text: fencedText(text) } };
}

function nameOf({ caller }: ApprovalRequest): string | undefined {
  return caller.kind === "agent" && caller.name !== "agent" ? caller.name : undefined;
}
