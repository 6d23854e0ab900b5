import type {
  AgentResult,
  MessagePart,
  SessionAgent,
  SessionAgentOptions,
} from "../../../capabilities/agents/index.ts";
import { compatibleProvider, providerOf } from "../../../capabilities/agents/models/find-model.ts";
import type { TalkParts, TalkView } from "./talk-view.ts";

export type TalkAgent = ReturnType<typeof createTalkAgent>;

export interface TalkAgentOptions extends TalkParts {
  readonly agent: Omit<SessionAgentOptions, "model" | "session"> & { readonly model?: string | undefined };
}

/** The agent of a conversation: it is opened when it is needed, and again for another model or session. */
export function createTalkAgent({ runtime, view, agent: given, sessionNow, onChange }: TalkAgentOptions) {
  const { baseUrl, ...options } = given;
  let { model } = options;
  let agent: SessionAgent | undefined;
  const served = new Set([compatibleProvider, providerOf(options.model ?? "")]);
  /** Gives a model that server if it may have the model: the key of another provider is not sent there. */
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
  /** Forgets the agent: the next message goes to one that is opened anew. */
  const forget = () => {
    agent = undefined;
  };
  return {
    /** The server that was named when the conversation was opened. */
    baseUrl,
    modelPlace,
    forget,
    get model() {
      return model;
    },
    setModel(name: string) {
      model = name;
      forget();
      onChange();
    },
    /** Runs the agent; once more with the package that its model needs, if the person lets that be installed. */
    async run(message: string | readonly MessagePart[]): Promise<AgentResult> {
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
    send: async (text: string) => agentNow().send(text),
    /** Sends a message to a sub-agent that has ended. */
    followUp: (id: string, message: string) => agentNow().followUp(id, message),
    compact: (focus: string) => agentNow().compact(focus === "" ? {} : { focus }),
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
