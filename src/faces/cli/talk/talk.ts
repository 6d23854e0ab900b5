import type { AgentResult } from "../../../capabilities/agents/agent-result.ts";
import type { SessionAgent, SessionAgentOptions } from "../../../capabilities/agents/open-agent.ts";
import type { MessagePart } from "../../../capabilities/agents/user-message.ts";
import type { CallResult } from "../../../kernel/call/call.ts";
import type { Mode } from "../../../kernel/policy/decide.ts";
import type { Session, SessionOptions } from "../../../kernel/runtime/session.ts";
import type { Runtime } from "../../../open-runtime.ts";
import { countOf } from "../../../shared/text/count-of.ts";
import { describeThrown } from "../../../shared/text/describe-thrown.ts";
import { createModelPlace } from "./model-place.ts";
import { withNamedImages } from "./named-images.ts";
import { offeringInstall } from "./offering-install.ts";
import { planNote } from "./plan-note.ts";
import { type ShownSession, showSession } from "./show-session.ts";
import type { FileCommand } from "./slash/file-commands.ts";
import type { SlashCommand } from "./slash/slash-command.ts";
import type { TalkView } from "./talk-view.ts";
import { createTokenCount, type TokenCount } from "./token-count.ts";
import { type WaitingElsewhere, watchElsewhere } from "./waiting-elsewhere.ts";

/** A conversation with an agent, whatever shows it: the session, its model and mode, and what waits to be said. */
export interface Talk {
  readonly runtime: Runtime;
  readonly view: TalkView;
  readonly session: Session;
  readonly tokens: TokenCount;
  readonly model: string | undefined;
  /** The server that was named when the conversation was opened. */
  readonly baseUrl: string | undefined;
  readonly mode: Mode;
  readonly isWorking: boolean;
  readonly isPlanning: boolean;
  readonly commands: ReadonlyMap<string, SlashCommand<Talk>>;
  readonly elsewhere: WaitingElsewhere;
  fileCommands(): Promise<ReadonlyMap<string, FileCommand>>;
  /** What the person typed: a command, a message, or while the agent works, one that it reads at its next step. */
  submit(text: string): Promise<void>;
  /** Says it when the agent has ended its work. */
  queue(text: string): void;
  /** A message to a sub-agent that has ended. */
  followUp(id: string, message: string): Promise<CallResult>;
  /** Lets the model summarize what was said so far. */
  compact(focus: string): Promise<void>;
  interrupt(): void;
  setModel(name: string): void;
  /** That server for models which it may have: the key of another provider is not sent there. */
  modelPlace(name: string): { readonly baseUrl?: string };
  setMode(mode: Mode): Promise<void>;
  /** Only reads and proposes until the plan is approved. */
  setPlanning(isPlanning: boolean): Promise<void>;
  /** Goes on with another session; a new one if none is named. */
  open(wanted?: WantedSession): Promise<void>;
  leave(): void;
  /** Resolves when the person leaves. */
  readonly left: Promise<void>;
  close(): Promise<void>;
}

/** A session by its id, or a new one that may begin as a fork. */
export type WantedSession = Pick<SessionOptions, "id" | "fork">;

export interface TalkOptions {
  readonly runtime: Runtime;
  readonly view: TalkView;
  readonly commands: readonly SlashCommand<Talk>[];
  readonly agent: Omit<SessionAgentOptions, "model" | "session"> & { readonly model?: string };
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
  const commands = new Map(options.commands.map((command) => [command.name, command]));
  const left = Promise.withResolvers<void>();
  const queued: Said[] = [];
  let tokens = createTokenCount(options.price);
  let { mode } = options;
  let { model } = options.agent;
  let sandbox = "…";
  let isPlanning = false;
  let isWorking = false;
  let agent: SessionAgent | undefined;

  const openSession = (wanted: WantedSession): Promise<Session> =>
    runtime.openSession({
      ...wanted,
      ...(options.dialect !== undefined && { dialect: options.dialect }),
      ...(model !== undefined && { model }),
      mode: isPlanning ? "readonly" : mode,
    });
  let session = await openSession(options.session);
  const follow = (): ShownSession => showSession(session, { view, tokens, onStatus: () => showStatus() });
  let followed = follow();
  const elsewhere = watchElsewhere({
    runtime,
    view,
    sessionNow: () => session,
    onChange: () => showStatus(),
  });

  const showStatus = (): void =>
    view.setStatus({
      model: model ?? "no model",
      mode,
      isPlanning,
      sandbox,
      tokens: tokens.usage.inputTokens + tokens.usage.outputTokens,
      cost: tokens.cost,
      contextLeft: Math.max(0, 1 - tokens.contextTokens / (options.agent.contextTokens ?? defaultContext)),
      isWorking,
      queued: queued.length,
      waiting: elsewhere.count,
    });
  const { baseUrl, ...agentOptions } = options.agent;
  const modelPlace = createModelPlace(options.agent);
  const agentNow = (): SessionAgent => {
    if (model === undefined) throw new Error(noModel);
    agent ??= runtime.agent({
      ...agentOptions,
      ...modelPlace(model),
      model,
      session,
      onApproval: view.onApproval,
      onQuestion: view.onQuestion,
    });
    return agent;
  };
  /** Only what the person typed can name images; a command of a file of the project cannot. */
  const toMessage = async ({ text, isTyped }: Said): Promise<string | readonly MessagePart[]> => {
    const message = isTyped ? await withNamedImages(text, runtime.workspace) : text;
    if (!isPlanning) return message;
    return typeof message === "string"
      ? `${message}\n\n${planNote}`
      : [...message, { type: "text", text: `\n\n${planNote}` }];
  };
  const work = async (first: Said): Promise<void> => {
    isWorking = true;
    showStatus();
    try {
      for (let message: Said | undefined = first; message !== undefined; message = queued.shift()) {
        showStatus();
        const result = await runWithModel(await toMessage(message));
        await followed.caughtUp();
        tellEnd(result);
        if (result.reason === "interrupted") break;
        const next = isPlanning && result.reason === "done" ? await askForPlan() : undefined;
        if (next !== undefined) queued.unshift({ text: next, isTyped: false });
      }
    } catch (error) {
      view.tell(describeThrown(error), "problem");
    } finally {
      isWorking = false;
      showStatus();
    }
  };
  const runWithModel = (message: string | readonly MessagePart[]): Promise<AgentResult> =>
    offeringInstall(() => agentNow().run(message), {
      view,
      workspace: runtime.workspace,
      onInstalled: () => {
        agent = undefined;
      },
    });
  const tellEnd = ({ reason, error }: AgentResult): void => {
    const why = error === undefined ? endings[reason] : `the model failed: ${error.message}`;
    if (why !== undefined) view.tell(why, reason === "interrupted" ? "note" : "problem");
  };
  /** The message that begins the work on an approved plan. */
  const askForPlan = async (): Promise<string | undefined> => {
    const open = (await session.todos.list()).filter(({ status }) => status !== "completed");
    if (open.length === 0) return undefined;
    for (const [index, { title }] of open.entries()) view.tell(`${index + 1}. ${title}`);
    const steps = `Carry out this plan of ${countOf(open.length, "step")}?`;
    const answer = await view.choose(steps, [
      { value: "yes", label: "Yes", about: `in mode ${mode}` },
      { value: "no", label: "No, go on planning" },
    ]);
    if (answer !== "yes") return undefined;
    await setPlanning(false);
    return "The plan is approved. Carry it out, and keep the list of tasks up to date.";
  };
  const setPlanning = async (wanted: boolean): Promise<void> => {
    await session.setMode(wanted ? "readonly" : mode, { by: "person" });
    isPlanning = wanted;
    showStatus();
  };

  const runSlash = async (text: string): Promise<void> => {
    const [, name = "", argument = ""] = /^\/(\S*)\s*([\s\S]*)$/.exec(text) ?? [];
    const command = commands.get(name);
    if (command !== undefined) {
      if (isWorking && !command.isForAnyTime)
        return view.tell(`/${name} has to wait until the agent has ended; Esc interrupts it`, "problem");
      return command.run(talk, argument.trim());
    }
    const own = (await talk.fileCommands()).get(name);
    if (own === undefined) return view.tell(`there is no command /${name}; /help lists them`, "problem");
    return say({ text: own.message(argument.trim()), isTyped: false });
  };
  const say = async (said: Said): Promise<void> => {
    if (model === undefined) {
      // Nothing that was typed gets lost.
      if (said.isTyped) view.fillEditor(said.text);
      return view.tell(noModel, "problem");
    }
    if (!isWorking) return work(said);
    if (said.isTyped && typeof (await withNamedImages(said.text, runtime.workspace)) !== "string") {
      queue(said);
      return view.tell(
        "(an image goes with a message of its own: the agent gets this one when it has ended)",
      );
    }
    await agentNow().send(said.text);
    view.tell("(the agent reads this at its next step)");
  };
  const queue = (said: Said): void => {
    queued.push(said);
    showStatus();
  };

  const talk: Talk = {
    runtime,
    view,
    commands,
    elsewhere,
    left: left.promise,
    get session() {
      return session;
    },
    get tokens() {
      return tokens;
    },
    baseUrl,
    modelPlace,
    get model() {
      return model;
    },
    get mode() {
      return mode;
    },
    get isWorking() {
      return isWorking;
    },
    get isPlanning() {
      return isPlanning;
    },
    fileCommands: () => readFileCommands(runtime.workspace, ofPlugins),
    async submit(text) {
      if (text.trim() === "") return;
      try {
        await (isSlash(text) ? runSlash(text) : say({ text, isTyped: true }));
      } catch (error) {
        view.tell(describeThrown(error), "problem");
      }
    },
    queue(text) {
      if (!isWorking) return void talk.submit(text);
      queue({ text, isTyped: true });
    },
    followUp: (id, message) => agentNow().followUp(id, message),
    async compact(focus) {
      isWorking = true;
      showStatus();
      try {
        const text = await agentNow().compact(focus === "" ? {} : { focus });
        view.tellMarkdown(text);
      } finally {
        isWorking = false;
        showStatus();
      }
    },
    interrupt() {
      queued.length = 0;
      agent?.interrupt();
      followed.hurry().catch(() => {});
      for (const { id, status } of session.agents.list())
        if (status === "in_progress") session.agents.cancel(id).catch(() => {});
    },
    setModel(name) {
      model = name;
      agent = undefined;
      showStatus();
    },
    async setMode(wanted) {
      mode = await session.setMode(wanted, { by: "person" });
      isPlanning = false;
      showStatus();
    },
    setPlanning,
    async open(wanted = {}) {
      const next = wanted.id === session.id ? session : await openSession(wanted);
      if (next !== session) await session.close();
      session = next;
      agent = undefined;
      tokens = createTokenCount(options.price);
      followed.stop();
      followed = follow();
      showStatus();
      await followed.caughtUp();
    },
    leave: () => left.resolve(),
    async close() {
      followed.stop();
      elsewhere.close();
      talk.interrupt();
      await session.close();
    },
  };
  showStatus();
  void runtime.sandbox().then(({ kind }) => {
    sandbox = kind;
    showStatus();
  });
  return talk;
}

/** Something to say to the agent. */
interface Said {
  readonly text: string;
  /** Whether the person has typed it, and not a file of the project. */
  readonly isTyped: boolean;
}

/** A path that begins with a slash, as one that was dropped on the terminal, is not a command. */
function isSlash(text: string): boolean {
  return /^\/[\w-]*(?:\s|$)/.test(text);
}

const defaultContext = 128_000;

const noModel =
  "no model yet: choose one with /model, or name it, as in /model anthropic/<model>, openai/<model>, google/<model> or ollama/<model>";

const endings: Partial<Record<AgentResult["reason"], string>> = {
  "max-steps": "stopped: it reached the step limit",
  budget: "stopped: the budget is used up",
  interrupted: "interrupted; say what to do instead, or go on",
  "cut-off": "the answer was cut off because it got too long",
  refused: "the model refused to answer",
};
