import { relative } from "node:path";
import { foreign, knownKeys, value } from "../../../shared/options/known-keys.ts";
import { refuseUnknownKeys } from "../../../shared/options/refuse-unknown-keys.ts";
import { callerKeys } from "../../../tool/caller.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import {
  type CallHost,
  type CallRequest,
  checkRewind,
  planRewind,
  type RewindPlan,
  rewindFiles,
} from "../../call/index.ts";
import type { LoggedEvent, ReceiptBody, SessionEvent } from "../../events/index.ts";
import {
  type AgentTurn,
  type ConversationMessage,
  findChangesSince,
  listMessages,
  readConversation,
  readLog,
} from "../../session/index.ts";
import type { Store } from "../../store/index.ts";

export interface RewindOptions extends Pick<CallRequest, "signal" | "caller" | "onApproval"> {
  /** Also restores the files that were changed since: all of them, or the rewind fails. Default: true. */
  readonly files?: boolean;
  /** Takes the conversation back, and the list of tasks with it. Default: true. */
  readonly conversation?: boolean;
  /** Only names the paths that it would restore, and fails where it would fail. */
  readonly dryRun?: boolean;
}

const rewindKeys = knownKeys<RewindOptions>({
  files: value,
  conversation: value,
  dryRun: value,
  signal: foreign,
  caller: callerKeys,
  onApproval: value,
});

export interface RewindResult {
  /** The message that the conversation is back before. */
  readonly message: ConversationMessage;
  /** Files and folders that were restored, relative to the workspace. */
  readonly paths: readonly string[];
  /** Calls whose changes were taken back, oldest first; undos among them. */
  readonly undone: readonly ReceiptBody[];
  /** Calls whose changes stay, because they are not recorded, such as commands. */
  readonly others: readonly ReceiptBody[];
}

/** Lists the messages of a session's conversation, and takes the conversation back to one. */
export interface SessionConversation {
  messages(): Promise<readonly ConversationMessage[]>;
  rewind(before: number, options?: RewindOptions): Promise<RewindResult>;
}

/** The members of a capability that take part in a rewind. */
interface RewoundPart {
  /** The sub-agents at work in the session. */
  working?(): readonly string[];
  restore?(log: AsyncIterable<LoggedEvent>, before: number): Promise<void>;
}

interface RewindParts {
  readonly host: CallHost;
  readonly store: Store;
  readonly turn: AgentTurn;
  readonly parts: readonly RewoundPart[];
}

export function createConversation({ host, store, turn, parts }: RewindParts): SessionConversation {
  const { id, workspace } = host.session;
  const messages = () => listMessages(readConversation(store, id));

  const takeBack = async (before: number, options: RewindOptions): Promise<RewindResult> => {
    const { files = true, conversation = true, dryRun = false, ...request } = options;
    const [busy] = parts.flatMap((part) => part.working?.() ?? []);
    if (busy !== undefined)
      throw new ToolError("conflict", `nothing was rewound: sub-agent ${busy} is still at work`, {
        hint: "Wait until it has ended, or cancel it.",
      });
    const message = await findMessage(before);
    const plan: RewindPlan = files
      ? await planRewind(host, await findChangesSince(readLog(store, id, 0), before))
      : { changes: [], calls: [], others: [], earlierTurns: new Map() };
    const rewoundBy = (request.caller ?? host.run.caller).name;
    const events: SessionEvent[] = conversation ? [{ type: "conversation-rewind", before, rewoundBy }] : [];
    if (dryRun) await checkRewind(host, plan);
    else {
      await rewindFiles(host, plan, { ...request, before, events });
      if (conversation) for (const part of parts) await part.restore?.(readLog(store, id, 0), before);
    }
    const paths = plan.changes.map(({ path }) => relative(workspace, path));
    return { message, paths, undone: plan.calls, others: plan.others };
  };

  const findMessage = async (before: number): Promise<ConversationMessage> => {
    const meant = (await messages()).filter(({ sequence }) => sequence === before);
    const own = meant.find(({ sessionId }) => sessionId === id);
    if (own !== undefined) return own;
    if (meant.length > 0)
      throw new ToolError("not-found", `message ${before} is of the session that this one was forked from`, {
        hint: "Fork that session again, before this message.",
      });
    throw new ToolError("not-found", `the conversation has no message ${before} to go back to`, {
      hint: "session.messages() lists those that it has.",
    });
  };

  return {
    messages,
    async rewind(before, options = {}) {
      refuseUnknownKeys(options, rewindKeys, "rewind");
      // An agent at work would go on with a conversation that is no longer there.
      const giveBack = turn.take();
      try {
        return await takeBack(before, options);
      } finally {
        giveBack();
      }
    },
  };
}
