import {
  type LoggedEvent,
  type ReceiptBody,
  turnedBy,
  turningCalls,
} from "../../../../kernel/events/index.ts";
import type { RewindOptions, Session } from "../../../../kernel/runtime/index.ts";
import type { ConversationMessage } from "../../../../kernel/session/index.ts";
import { countOf } from "../../../../shared/text/count-of.ts";
import { describeThrown } from "../../../../shared/text/describe-thrown.ts";
import { oneLine } from "../../../../shared/text/one-line.ts";
import { describeStart } from "../../display/describe-call.ts";
import { formatTime } from "../../display/format-time.ts";
import { withoutPlanNote } from "../plan-note.ts";
import type { SlashCommand, Talk } from "../talk.ts";
import type { TalkChoice } from "../talk-view.ts";

/** The commands that go back in a conversation. */
export const rewindCommands: readonly SlashCommand[] = [
  { name: "undo", about: "Undo the changes of the latest run", run: undoRun },
  {
    name: "rewind",
    usage: "[message]",
    about: "Go back to before a message, with the files or without",
    run: rewind,
  },
  {
    name: "fork",
    usage: "[message]",
    about: "Go on in a new session that begins with this conversation, up to a message",
    run: fork,
  },
];

async function undoRun(talk: Talk): Promise<void> {
  const { session, view, runtime } = talk;
  const { undoable, others } = await findRunChanges(session, runtime.workspace);
  for (const { about } of others) view.tell(`cannot be undone: ${about}`);
  if (undoable.length === 0) return view.tell("there is nothing to undo");
  for (const { about } of undoable) view.tell(about);
  const answer = await view.choose(`Undo ${countOf(undoable.length, "change")} of the latest run?`, [
    { value: "yes", label: "Yes" },
    { value: "no", label: "No" },
  ]);
  if (answer === "yes") await undoChanges(talk, undoable);
}

interface ChangingCall {
  readonly sessionId: string;
  readonly callId: string;
  readonly about: string;
}

/**
 * Finds the calls of the latest run that is not undone yet, sub-agents included, newest first: those that can be undone,
 * and others that may have changed something, such as commands.
 */
async function findRunChanges(session: Session, workspace: string) {
  const until = await session.bookmark();
  const ending = new AbortController();
  let runs: ChangingCall[][] = [];
  let others: ChangingCall[] = [];
  const undoable = new Set<string>();
  const undone = new Set<string>();
  const note = (event: LoggedEvent): void => {
    if (event.type === "subagent-event") note(event.event);
    if (event.type !== "call-end") return;
    const { receipt, callId } = event;
    if (turningCalls.includes(receipt.tool)) noteTurn(receipt);
    else noteCall(receipt, callId);
  };
  const noteCall = (receipt: ReceiptBody, callId: string): void => {
    if (receipt.isDryRun || receipt.status === "denied") return;
    const call = { sessionId: receipt.sessionId, callId, about: describeStart(receipt, workspace) };
    // Undoing a call that was made again after a crash undoes both attempts.
    if (undoable.has(callId)) return;
    if (receipt.undo !== undefined) {
      undoable.add(callId);
      runs.at(-1)?.push(call);
    } else if (receipt.effects.runs.length > 0 || receipt.effects.writes.length > 0) others.push(call);
  };
  const noteTurn = ({ tool, status, input }: { tool: string; status: string; input: unknown }): void => {
    if (status !== "done") return;
    for (const callId of turnedBy(input)) {
      if (tool === "redo") undone.delete(callId);
      else undone.add(callId);
    }
  };
  if (until > 0)
    for await (const event of session.events({ signal: ending.signal })) {
      if (event.type === "agent-start") {
        runs = [...runs.slice(-maxRuns), []];
        others = [];
      }
      note(event);
      if (event.sequence >= until) break;
    }
  const left = runs.map((run) => run.filter(({ callId }) => !undone.has(callId)));
  const latest = left.findLastIndex((run) => run.length > 0);
  return {
    undoable: left[latest]?.toReversed() ?? [],
    others: latest === runs.length - 1 ? others.toReversed() : [],
  };
}

const maxRuns = 100;

/** Undoes the changes one after the other, and stops at the first that fails. */
async function undoChanges(
  { session, runtime, view }: Talk,
  undoable: readonly ChangingCall[],
): Promise<void> {
  for (const { sessionId, callId, about } of undoable) {
    const owner = sessionId === session.id ? session : await runtime.remoteSession(sessionId);
    const { status, error } = await owner.undo(callId);
    if (status !== "done") return view.tell(`not undone: ${about}: ${error?.message ?? status}`, "problem");
    view.tell(`undone: ${about}`);
  }
}

async function rewind(talk: Talk, argument: string): Promise<void> {
  const { session, view } = talk;
  const all = (await session.messages()).filter(({ sessionId }) => sessionId === session.id);
  const message = await chooseMessage(talk, {
    messages: all,
    argument,
    title: "Back to before which message?",
  });
  if (message === undefined) return;
  const ways = await findWays(talk, message);
  const way = await view.choose("What goes back?", ways);
  const options = optionsOf.get(way ?? "");
  if (options === undefined) return;
  const { paths } = await session.rewind(message.sequence, options);
  if (options.files) view.tell(`restored ${countOf(paths.length, "file")}`);
  if (!options.conversation) return;
  view.tell(`back before: ${oneLine(withoutPlanNote(message.text), maxText)}`);
  view.fillEditor(withoutPlanNote(message.text));
}

const optionsOf: ReadonlyMap<string, RewindOptions> = new Map([
  ["both", { files: true, conversation: true }],
  ["conversation", { files: false, conversation: true }],
  ["files", { files: true, conversation: false }],
]);

/** Finds the parts that can go back. Tells which changes would stay, or why the files cannot be restored. */
async function findWays(
  { session, view, runtime }: Talk,
  { sequence }: ConversationMessage,
): Promise<TalkChoice[]> {
  const onlyWords = { value: "conversation", label: "Only the conversation" };
  try {
    const { paths, others } = await session.rewind(sequence, { dryRun: true });
    for (const receipt of others) view.tell(`cannot be undone: ${describeStart(receipt, runtime.workspace)}`);
    if (paths.length === 0) return [onlyWords];
    const about = `restores ${oneLine(paths.join(", "), maxText)}`;
    return [
      { value: "both", label: "Conversation and files", about },
      onlyWords,
      { value: "files", label: "Only the files", about },
    ];
  } catch (error) {
    view.tell(`the files cannot go back: ${describeThrown(error)}`, "problem");
    return [onlyWords];
  }
}

async function fork(talk: Talk, argument: string): Promise<void> {
  const { session, view } = talk;
  const messages = await session.messages();
  const title = "A new session with the conversation before which message?";
  const message = await chooseMessage(talk, { messages, argument, title, also: whole });
  if (message === undefined) return;
  if ("label" in message) await talk.open({ fork: { from: session.id } });
  else {
    await talk.open({ fork: { from: message.sessionId, before: message.sequence } });
    view.fillEditor(withoutPlanNote(message.text));
  }
  view.tell(`a new session, ${talk.session.id}; files are as they were`);
}

const whole: TalkChoice = { value: "all", label: "All of it" };

interface MessageQuestion<Also> {
  readonly messages: readonly ConversationMessage[];
  /** The person's choice, if it was typed with the command. */
  readonly argument: string;
  readonly title: string;
  /** A choice beside the messages. */
  readonly also?: Also;
}

/** Lets the person choose a message; undefined if there is none, or they choose none. */
async function chooseMessage<Also extends TalkChoice = never>(
  { view }: Talk,
  { messages, argument, title, also }: MessageQuestion<Also>,
): Promise<ConversationMessage | Also | undefined> {
  if (messages.length === 0) {
    view.tell("there is no message to go back to");
    return undefined;
  }
  const earlier = messages.map(({ sequence, text, at }) => ({
    value: String(sequence),
    label: oneLine(withoutPlanNote(text), maxText),
    about: formatTime(at),
  }));
  const choices: TalkChoice[] = earlier.toReversed();
  if (also !== undefined) choices.unshift(also);
  const chosen = argument === "" ? await view.choose(title, choices) : argument;
  if (chosen === undefined) return undefined;
  if (chosen === also?.value) return also;
  const found = messages.find(({ sequence }) => String(sequence) === chosen);
  if (found === undefined) view.tell(`there is no message ${chosen} to go back to`, "problem");
  return found;
}

const maxText = 60;
