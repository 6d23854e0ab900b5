import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { modes } from "../../../../kernel/policy/index.ts";
import { errorCodeOf } from "../../../../shared/files/error-code.ts";
import { countOf } from "../../../../shared/text/count-of.ts";
import { escapeLine } from "../../../../shared/text/escape-controls.ts";
import { oneLine } from "../../../../shared/text/one-line.ts";
import { conversationItems } from "../export/conversation-items.ts";
import { conversationFormats } from "../export/format-conversation.ts";
import { talkKeys } from "../screen/talk-keys.ts";
import type { SlashCommand, Talk } from "../talk.ts";
import { approveCommand } from "./approve-command.ts";
import { chooseSession } from "./choose-session.ts";
import { modelCommand } from "./model-command.ts";
import { rewindCommands } from "./rewind-commands.ts";

/** The commands of every session; each project and plugin can add its own. */
export const slashCommands: readonly SlashCommand[] = [
  { name: "help", about: "Show the commands and keys", isForAnyTime: true, run: showHelp },
  modelCommand,
  {
    name: "mode",
    usage: "[mode]",
    about: "What may run without asking: readonly, ask, edit or auto",
    complete: async () => modes,
    run: changeMode,
  },
  {
    name: "plan",
    usage: "[message]",
    about: "Only read and propose, until you approve the plan; again to end it",
    async run(talk, message) {
      await talk.setMode(message !== "" || !talk.isPlanning ? "plan" : talk.mode);
      talk.view.tell(talk.isPlanning ? "plan mode: nothing is changed until you approve" : "plan mode ended");
      if (message !== "") await talk.submit(message);
    },
  },
  { name: "tools", about: "List the tools the model is offered", isForAnyTime: true, run: showTools },
  { name: "tasks", about: "Show the list of tasks", isForAnyTime: true, run: showTasks },
  {
    name: "compact",
    usage: "[what matters]",
    about: "Replace the conversation so far by a summary, to free the context",
    run: (talk, focus) => talk.compact(focus),
  },
  ...rewindCommands,
  {
    name: "sessions",
    about: "Choose an earlier session to go on with",
    run: async (talk) => {
      const id = await chooseSession(talk);
      if (id !== undefined) await talk.open({ id });
    },
  },
  { name: "new", about: "Begin a new session", run: (talk) => talk.open() },
  {
    name: "agent",
    usage: "<id> <message>",
    about: "Send a message to a sub-agent, also to one that has ended",
    isForAnyTime: true,
    complete: async ({ session }) => session.agents.list().map(({ id }) => id),
    run: sendToAgent,
  },
  {
    name: "export",
    usage: "<file.md | file.html>",
    about: "Write the conversation to a new file, with secrets masked",
    isForAnyTime: true,
    run: exportTo,
  },
  { name: "cost", about: "Show the tokens used, and their cost", isForAnyTime: true, run: showCost },
  approveCommand,
  {
    name: "permissions",
    about: "Show the mode and how rules are read",
    isForAnyTime: true,
    run: showPermissions,
  },
  {
    name: "queue",
    usage: "<message>",
    about: "Say this when the agent has ended its work (Alt-Enter)",
    isForAnyTime: true,
    run: (talk, text) => talk.queue(text),
  },
  { name: "quit", about: "Leave", isForAnyTime: true, run: (talk) => talk.leave() },
];

async function showHelp(talk: Talk): Promise<void> {
  const own = [...(await talk.fileCommands()).values()];
  const rows = [...talk.commands.values(), ...own].map(
    ({ name, about, ...more }) =>
      `- \`/${name}${"usage" in more && more.usage ? ` ${more.usage}` : ""}\` ${about}`,
  );
  const keys = talkKeys.map(({ names, about }) => `- ${names.map(inCode).join(", ")} ${about}`);
  talk.view.tellMarkdown(`**Commands**\n\n${rows.join("\n")}\n\n**Keys**\n\n${keys.join("\n")}`);
}

/** Marks the key in a name as code, and not the words after it: "\\ and Enter" is a key and words. */
function inCode(name: string): string {
  const [key = "", ...words] = name.split(" ");
  return [`\`${key}\``, ...words].join(" ");
}

async function changeMode(talk: Talk, wanted: string): Promise<void> {
  const chosen =
    wanted === ""
      ? await talk.view.choose(
          `The mode is ${talk.mode}`,
          modes.map((value) => ({ value, label: value })),
        )
      : wanted;
  const mode = modes.find((each) => each === chosen);
  if (mode !== undefined) await talk.setMode(mode);
  else if (wanted !== "") talk.view.tell(`a mode is one of ${modes.join(", ")}`, "problem");
}

function showTools({ session, view }: Talk): void {
  const names = session.activeTools().map(({ name }) => name);
  view.tell(`${countOf(names.length, "tool")}: ${names.join(", ")}`);
}

async function showTasks({ session, view }: Talk): Promise<void> {
  const todos = await session.todos.list();
  if (todos.length === 0) return view.tell("no tasks");
  for (const { title, status } of todos) view.tell(`${marks.get(status) ?? "·"} ${escapeLine(title)}`);
}

const marks = new Map([
  ["completed", "✓"],
  ["in_progress", "▸"],
  ["failed", "✗"],
]);

async function sendToAgent(talk: Talk, argument: string): Promise<void> {
  const { session, runtime, view } = talk;
  const [, id = "", message = ""] = /^(\S+)\s+([\s\S]+)$/.exec(argument) ?? [];
  const agents = session.agents.list();
  const agent = agents.find((each) => each.id === id);
  if (agent === undefined) {
    const known = agents.map((each) => `${each.id} (${oneLine(each.title, maxTitle)}, ${each.status})`);
    return view.tell(
      known.length === 0
        ? "there is no sub-agent"
        : `use /agent <id> <message>; there are ${known.join(", ")}`,
    );
  }
  if (agent.status === "in_progress") {
    await (await runtime.remoteSession(agent.sessionId)).send(message);
    return view.tell(`${id} reads this at its next step`);
  }
  const { status, error } = await talk.agent.followUp(id, message);
  if (status === "done") view.tell(`${id} goes on; the agent learns of the result at its next step`);
  else view.tell(error?.message ?? status, "problem");
}

const maxTitle = 40;

async function exportTo({ session, runtime, view }: Talk, file: string): Promise<void> {
  const kind = /\.(md|html)$/.exec(file)?.[1];
  if (kind !== "md" && kind !== "html")
    return view.tell("name a file that ends with .md or .html", "problem");
  const format = conversationFormats[kind];
  const parts = [format.heading(`Session ${session.id}`)];
  for await (const item of conversationItems(session.conversation())) parts.push(format.item(item));
  const path = resolve(runtime.workspace, file);
  try {
    await writeFile(path, parts.join(""), { flag: "wx" });
  } catch (error) {
    if (errorCodeOf(error) !== "EEXIST") throw error;
    return view.tell(`${file} exists already; name a new file`, "problem");
  }
  view.tell(`written: ${path}`);
}

function showCost({ tokens, view, agent: { model } }: Talk): void {
  const { inputTokens, outputTokens, cachedInputTokens } = tokens.usage;
  const number = (value: number) => value.toLocaleString("en-US");
  view.tell(
    `${number(inputTokens)} tokens in (${number(cachedInputTokens)} of them cached), ${number(outputTokens)} out`,
  );
  const { cost } = tokens;
  view.tell(
    cost === undefined
      ? `no prices are known for ${model ?? "the model"}; set TOOLWRIGHT_PRICE, as in 3/15/0.3`
      : `$${cost.toFixed(4)}`,
  );
}

function showPermissions({ mode, isPlanning, runtime, view }: Talk): void {
  view.tell(`mode: ${isPlanning ? "plan (readonly)" : mode}; /mode changes it`);
  for (const { subject, message, about } of runtime.problems())
    if (about === "rule") view.tell(`${subject}: ${message}`, "problem");
  view.tell("`toolwright explain <tool> <input>` says which rule decides on a call, and why");
}
