import type { AgentContext, PermissionOption, ToolCallContent } from "@agentclientprotocol/sdk";
import { approvalPages } from "../runtime/policy/approvals/approval-pages.ts";
import type {
  ApprovalDecision,
  ApprovalHandler,
  ApprovalRequest,
} from "../runtime/policy/approvals/approvals.ts";
import type { Session } from "../session.ts";
import { diffContent } from "./diff-content.ts";
import { fencedText } from "./fenced-text.ts";
import type { ToolCallView } from "./tool-call-view.ts";

interface Asking {
  readonly client: Pick<AgentContext, "request">;
  readonly session: Session;
  readonly view: ToolCallView;
  readonly workspace: string;
  /** The editor's name, for the record: only it knows whether a person answered. */
  readonly by: string;
  /** Resolves when the editor was told of everything so far, the call included. */
  catchUp(): Promise<void>;
}

/** Asks in the editor. Everything that the call would do is shown; only a clear yes to all of it allows. */
export function askPermission({ client, session, view, workspace, by, catchUp }: Asking): ApprovalHandler {
  const ask = async (
    request: ApprovalRequest,
    {
      content,
      options,
      signal,
    }: { content: ToolCallContent[]; options: PermissionOption[]; signal: AbortSignal },
  ): Promise<string | undefined> => {
    const { outcome } = await client.request(
      "session/request_permission",
      {
        sessionId: session.id,
        toolCall: {
          toolCallId: request.callId,
          title: view.title(request.tool, request.input, nameOf(request)),
          kind: view.kindOf(request.tool),
          status: "pending",
          content,
          rawInput: request.input,
        },
        options,
      },
      { cancellationSignal: signal, stopWaitingOnCancel: true },
    );
    if (outcome.outcome !== "selected") return undefined;
    return options.some(({ optionId }) => optionId === outcome.optionId) ? outcome.optionId : undefined;
  };

  return async (request, signal): Promise<ApprovalDecision> => {
    await catchUp();
    const pages = approvalPages(request);
    if (pages === undefined) return { decision: "deny", by, note: "it is too long for anybody to read" };
    for (const [index, page] of pages.slice(0, -1).entries()) {
      const part = `Part ${index + 1} of ${pages.length} of one request:\n${page}`;
      const answer = await ask(request, { content: [textOf(part)], options: pageOptions, signal });
      if (answer !== "read-on") return { decision: "deny", by };
    }
    const diffs = diffContent(await previewOf(session, request), workspace);
    const content = [textOf(pages.at(-1) ?? ""), ...diffs];
    const answer = await ask(request, { content, options: lastOptions, signal });
    if (answer === undefined) return { decision: "deny", by, note: "cancelled" };
    return { decision: answer === "allow" ? "allow" : "deny", by };
  };
}

const lastOptions: PermissionOption[] = [
  { optionId: "allow", name: "Allow once", kind: "allow_once" },
  { optionId: "reject", name: "Reject", kind: "reject_once" },
];
const pageOptions: PermissionOption[] = [
  { optionId: "read-on", name: "Read on (nothing is allowed yet)", kind: "allow_once" },
  { optionId: "reject", name: "Reject", kind: "reject_once" },
];

function textOf(text: string): ToolCallContent {
  return { type: "content", content: { type: "text", text: fencedText(text) } };
}

function nameOf({ caller }: ApprovalRequest): string | undefined {
  return caller.kind === "agent" && caller.name !== "agent" ? caller.name : undefined;
}

/** A diff of what would change; empty unless the call would only write files, here. */
async function previewOf(
  session: Session,
  { tool, input, verdict, sessionId }: ApprovalRequest,
): Promise<string> {
  const { writes, runs, hosts, opaque } = verdict.effects;
  if (writes.length === 0 || runs.length + hosts.length > 0 || opaque || sessionId !== session.id) return "";
  const { status, text } = await session.dryRun(tool, input);
  return status === "done" ? text : "";
}
