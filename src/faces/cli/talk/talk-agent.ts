import type {
  AgentResult,
  MessagePart,
  SessionAgent,
  SessionAgentOptions,
} from "../../../capabilities/agents/index.ts";
import { compatibleProvider, providerOf } from "../../../capabilities/agents/models/find-model.ts";
import type { CallResult } from "../../../kernel/call/index.ts";
import type { Session } from "../../../kernel/runtime/index.ts";
import type { Runtime } from "../../../open-runtime.ts";
import type { TalkView } from "./talk-view.ts";

/** The agent of a conversation: it is opened when it is needed, and again for another model or session. */
export interface TalkAgent {
  readonly model: string | undefined;
  /** The server that was named when the conversation was opened. */
  readonly baseUrl: string | undefined;
  setModel(name: string): void;
  /** Gives a model that server if it may have the model: the key of another provider is not sent there. */
  modelPlace(name: string): { readonly baseUrl?: string };
  run(message: string | readonly MessagePart[]): Promise<AgentResult>;
  send(text: string): Promise<void>;
  /** Sends a message to a sub-agent that has ended. */
  followUp(id: string, message: string): Promise<CallResult>;
  compact(focus: string): Promise<string>;
  interrupt(): void;
  /** Forgets the agent: the next message goes to one that is opened anew. */
  forget(): void;
}

export interface TalkAgentOptions {
  readonly runtime: Runtime;
  readonly view: TalkView;
  readonly agent: Omit<SessionAgentOptions, "model" | "session"> & { readonly model?: string | undefined };
  sessionNow(): Session;
  onChange(): void;
}

export function createTalkAgent({
  runtime,
  view,
  agent: { baseUrl, ...options },
  sessionNow,
  onChange,
}: TalkAgentOptions): TalkAgent {
  let { model } = options;
  let agent: SessionAgent | undefined;
  const served = new Set([compatibleProvider, providerOf(options.model ?? "")]);
  const modelPlace = (name: string) =>
    baseUrl !== undefined && served.has(providerOf(name)) ? { baseUrl } : {};
  const agentNow = (): SessionAgent => {
    if (model === undefined) throw new Error(noModel);
    agent ??= runtime.agent({
      ...options,
      ...modelPlace(model),
      model,
      session: sessionNow(),
      onApproval: view.onApproval,
      onQuestion: view.onQuestion,
    });
    return agent;
  };
  const forget = () => {
    agent = undefined;
  };
  return {
    baseUrl,
    modelPlace,
    forget,
    get model() {
      return model;
    },
    setModel(name) {
      model = name;
      forget();
      onChange();
    },
    /** Runs the agent; once more with the package that its model needs, if the person lets that be installed. */
    async run(message) {
      try {
        return await agentNow().run(message);
      } catch (error) {
        const { offerInstall } = await import("../open/offer-install.ts");
        const prompter = { confirm: (command: string) => confirmInstall(view, command), tell: view.tell };
        if (!(await offerInstall(error, prompter, { workspace: runtime.workspace }))) throw error;
        forget();
        return agentNow().run(message);
      }
    },
    send: async (text) => agentNow().send(text),
    followUp: (id, message) => agentNow().followUp(id, message),
    compact: (focus) => agentNow().compact(focus === "" ? {} : { focus }),
    interrupt: () => agent?.interrupt(),
  };
}

export const noModel =
  "no model yet: choose one with /model, or name it, as in /model anthropic/<model>, openai/<model>, google/<model> or ollama/<model>";

async function confirmInstall(view: TalkView, command: string): Promise<boolean> {
  const answer = await view.choose("The model needs a package that is not installed.", [
    { value: "install", label: "Install it", about: command },
    { value: "no", label: "No" },
  ]);
  return answer === "install";
}
