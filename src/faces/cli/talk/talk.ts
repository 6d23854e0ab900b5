import type { Mode } from "../../../kernel/policy/index.ts";
import type { Session, SessionOptions } from "../../../kernel/runtime/index.ts";
import type { Runtime } from "../../../open-runtime.ts";
import { defined } from "../../../shared/options/defined.ts";
import { describeThrown } from "../../../shared/text/describe-thrown.ts";
import { type ShownSession, showSession } from "./show-session.ts";
import type { FileCommand } from "./slash/file-commands.ts";
import { createTalkAgent, type TalkAgentOptions } from "./talk-agent.ts";
import type { TalkStatus, TalkView } from "./talk-view.ts";
import { createTalkWork, type OpenTalk, type TalkMessage } from "./talk-work.ts";
import { createTokenCount, type TokenCount } from "./token-count.ts";
import { type WaitingElsewhere, watchElsewhere } from "./waiting-elsewhere.ts";

/** A conversation with an agent, apart from its view: the session, its model and mode, and the messages that wait. */
export interface Talk extends OpenTalk {
  readonly tokens: TokenCount;
  readonly isWorking: boolean;
  readonly commands: ReadonlyMap<string, SlashCommand>;
  readonly elsewhere: WaitingElsewhere;
  fileCommands(): Promise<ReadonlyMap<string, FileCommand>>;
  /** Takes a typed text: a command, a message, or, while the agent works, a message that it reads at its next step. */
  submit(text: string): Promise<void>;
  /** Sends a message when the agent has ended its work. */
  queue(text: string): void;
  /** Lets the model summarize the conversation so far. */
  compact(focus: string): Promise<void>;
  interrupt(): void;
  /** Goes on with another session; a new one if none is named. */
  open(wanted?: WantedSession): Promise<void>;
  leave(): void;
  /** Resolves when the person leaves. */
  readonly left: Promise<void>;
  close(): Promise<void>;
}

/** A command of an interactive session, such as `/model`. */
export interface SlashCommand {
  readonly name: string;
  /** The words that follow its name, as in `[name]`. */
  readonly usage?: string;
  readonly about: string;
  /** Lists the arguments that it can have. */
  complete?(talk: Talk): Promise<readonly string[]>;
  /** The command may also be used while the agent works. */
  readonly isForAnyTime?: true;
  run(talk: Talk, argument: string): Promise<void> | void;
}

/** A session by its id, or a new one that may begin as a fork. */
export type WantedSession = Pick<SessionOptions, "id" | "fork">;

export interface TalkOptions {
  readonly runtime: Runtime;
  readonly view: TalkView;
  readonly commands: readonly SlashCommand[];
  readonly agent: TalkAgentOptions["agent"];
  readonly mode: Mode;
  readonly dialect: string | undefined;
  readonly session: WantedSession;
  readonly price: string | undefined;
}

export async function createTalk(options: TalkOptions): Promise<Talk> {
  const { runtime, view } = options;
  const [{ readFileCommands }, { pluginCommandFolders }] = await Promise.all([
    import("./slash/file-commands.ts"),
    import("../config/plugins/added-plugins.ts"),
  ]);
  const ofPlugins = await pluginCommandFolders();
  const left = Promise.withResolvers<void>();
  let { mode } = options;
  let sandbox = "…";
  let isPlanning = false;
  const openSession = (wanted: WantedSession, model = options.agent.model): Promise<Session> =>
    runtime.openSession({
      ...wanted,
      ...defined({ dialect: options.dialect, model }),
      mode: isPlanning ? "readonly" : mode,
    });
  let session = await openSession(options.session);
  let tokens = createTokenCount(options.price);
  const showStatus = () => view.setStatus(describeStatus(talk, { ...options, sandbox, queued: work.queued }));
  const sessionNow = () => session;
  const follow = (): ShownSession => showSession(session, { view, tokens, onStatus: showStatus });
  let followed = follow();

  const talk: Talk = {
    runtime,
    view,
    commands: new Map(options.commands.map((command) => [command.name, command])),
    elsewhere: watchElsewhere({ runtime, view, sessionNow, onChange: showStatus }),
    agent: createTalkAgent({ runtime, view, agent: options.agent, sessionNow, onChange: showStatus }),
    left: left.promise,
    get session() {
      return session;
    },
    get tokens() {
      return tokens;
    },
    get mode() {
      return mode;
    },
    get isWorking() {
      return work.isWorking;
    },
    get isPlanning() {
      return isPlanning;
    },
    fileCommands: () => readFileCommands(runtime.workspace, ofPlugins),
    async submit(text) {
      if (text.trim() === "") return;
      try {
        const message = isSlash(text) ? await runSlash(talk, text) : { text, isTyped: true };
        if (message !== undefined) await work.say(message);
      } catch (error) {
        view.tell(describeThrown(error), "problem");
      }
    },
    queue(text) {
      if (!work.isWorking) return void talk.submit(text);
      work.queue({ text, isTyped: true });
    },
    compact: (focus) => work.during(async () => view.tellMarkdown(await talk.agent.compact(focus))),
    interrupt() {
      work.dropQueued();
      talk.agent.interrupt();
      followed.hurry().catch(() => {});
      for (const { id, status } of session.agents.list())
        if (status === "in_progress") session.agents.cancel(id).catch(() => {});
    },
    async setMode(wanted) {
      const held = await session.setMode(wanted === "plan" ? "readonly" : wanted, { by: "person" });
      isPlanning = wanted === "plan";
      if (!isPlanning) mode = held;
      showStatus();
    },
    async open(wanted = {}) {
      const next = wanted.id === session.id ? session : await openSession(wanted, talk.agent.model);
      if (next !== session) await session.close();
      session = next;
      talk.agent.forget();
      tokens = createTokenCount(options.price);
      followed.stop();
      followed = follow();
      showStatus();
      await followed.caughtUp();
    },
    leave: () => left.resolve(),
    async close() {
      followed.stop();
      talk.elsewhere.close();
      talk.interrupt();
      await session.close();
    },
  };
  const work = createTalkWork(talk, { shownNow: () => followed, onChange: showStatus });
  showStatus();
  void runtime.sandbox().then(({ kind }) => {
    sandbox = kind;
    showStatus();
  });
  return talk;
}

function describeStatus(
  { agent, mode, isPlanning, tokens, isWorking, elsewhere }: Talk,
  { agent: { contextTokens = defaultContext }, sandbox, queued }: StatusParts,
): TalkStatus {
  return {
    model: agent.model ?? "no model",
    mode,
    isPlanning,
    sandbox,
    tokens: tokens.usage.inputTokens + tokens.usage.outputTokens,
    cost: tokens.cost,
    contextLeft: Math.max(0, 1 - tokens.contextTokens / contextTokens),
    isWorking,
    queued,
    waiting: elsewhere.count,
  };
}

type StatusParts = Pick<TalkOptions, "agent"> & Pick<TalkStatus, "sandbox" | "queued">;

const defaultContext = 128_000;

/** Runs one of our commands, or returns the message to the agent of a command from a file. */
async function runSlash(talk: Talk, text: string): Promise<TalkMessage | undefined> {
  const { view } = talk;
  const [, name = "", argument = ""] = /^\/(\S*)\s*([\s\S]*)$/.exec(text) ?? [];
  const command = talk.commands.get(name);
  if (command === undefined) {
    const own = (await talk.fileCommands()).get(name);
    if (own !== undefined) return { text: own.message(argument.trim()), isTyped: false };
    view.tell(`there is no command /${name}; /help lists them`, "problem");
  } else if (talk.isWorking && !command.isForAnyTime)
    view.tell(`/${name} has to wait until the agent has ended; Esc interrupts it`, "problem");
  else await command.run(talk, argument.trim());
  return undefined;
}

/** Whether a text is a command. A path that begins with a slash, such as one that was dropped on the terminal, is not. */
function isSlash(text: string): boolean {
  return /^\/[\w-]*(?:\s|$)/.test(text);
}
