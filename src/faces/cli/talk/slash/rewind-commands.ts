import type { RewindOptions } from "../../../../kernel/runtime/session/session-rewind.ts";
import type { ConversationMessage } from "../../../../kernel/session/conversation/read-conversation.ts";
import { countOf } from "../../../../shared/text/count-of.ts";
import { describeThrown } from "../../../../shared/text/describe-thrown.ts";
import { oneLine } from "../../../../shared/text/one-line.ts";
import { describeStart } from "../../display/describe-call.ts";
import { formatTime } from "../../display/format-time.ts";
import { withoutPlanNote } from "../plan-note.ts";
import type { Talk } from "../talk.ts";
import type { TalkChoice } from "../talk-view.ts";
import type { SlashCommand } from "./slash-command.ts";

/** The commands that go back in a conversation. */
export const rewindCommands: readonly SlashCommand<Talk>[] = [
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
  const all = { value: whole, label: "All of it" } as const;
  const message = await chooseMessage(talk, { messages, argument, title, also: all });
  if (message === undefined) return;
  if (message === whole) await talk.open({ fork: { from: session.id } });
  else {
    await talk.open({ fork: { from: message.sessionId, before: message.sequence } });
    view.fillEditor(withoutPlanNote(message.text));
  }
  view.tell(`a new session, ${talk.session.id}; files are as they were`);
}

const whole = "all";

/** Lets the person choose a message; undefined if there is none, or they choose none. */
async function chooseMessage<Also extends string = never>(
  { view }: Talk,
  {
    messages,
    argument,
    title,
    also,
  }: {
    messages: readonly ConversationMessage[];
    argument: string;
    title: string;
    also?: TalkChoice & { readonly value: Also };
  },
): Promise<ConversationMessage | Also | undefined> {
  if (messages.length === 0) {
    view.tell("there is no message to go back to");
    return undefined;
  }
  const choices = messages.map(({ sequence, text, at }) => ({
    value: String(sequence),
    label: oneLine(withoutPlanNote(text), maxText),
    about: formatTime(at),
  }));
  const chosen =
    argument === "" ? await view.choose(title, [...(also ? [also] : []), ...choices.toReversed()]) : argument;
  if (chosen === undefined) return undefined;
  if (chosen === also?.value) return also?.value;
  const found = messages.find(({ sequence }) => String(sequence) === chosen);
  if (found === undefined) view.tell(`there is no message ${chosen} to go back to`, "problem");
  return found;
}

const maxText = 60;
