import { isPlainObject } from "../../shared/json.ts";
import type { ToolContext } from "../../tool/tool-context.ts";
import type { EkoAgentContext, EkoCallback, EkoCallbackMessage, EkoHuman } from "./eko-types.ts";

/** The agent that works, in the messages of a callback. */
export interface EkoAgentIdentity {
  readonly taskId: string;
  readonly agentName: string;
  readonly nodeId: string;
}

/** The context that Eko's tools expect, made of ours. Most tools use little of it, so each part is made when it is used. */
export function createAgentContext(
  context: ToolContext,
  { agent, callback }: { readonly agent?: EkoAgentIdentity; readonly callback?: EkoCallback },
): EkoAgentContext {
  const { taskId, agentName, nodeId } = identityOf(context, agent);
  return {
    agent: { Name: agentName },
    agentChain: { agent: { id: nodeId, name: agentName } },
    get variables() {
      return context.variables;
    },
    get context() {
      return createTaskContext(context, taskId, callback);
    },
  };
}

function createTaskContext(
  context: ToolContext,
  taskId: string,
  callback: EkoCallback | undefined,
): EkoAgentContext["context"] {
  return {
    taskId,
    get variables() {
      return context.taskVariables;
    },
    get config() {
      const onMessage: EkoCallback["onMessage"] = (message) => tell(message, context, callback);
      return { callback: { ...askPerson(context), ...callback, onMessage } };
    },
    get controller() {
      return { signal: context.signal };
    },
    checkAborted() {
      if (!context.signal.aborted) return;
      throw Object.assign(new Error("Operation was interrupted"), { name: "AbortError" });
    },
  };
}

/** Asks as any tool of this runtime does, unless the callback answers itself. */
function askPerson(context: ToolContext): EkoHuman {
  const confirm = async (prompt: string) => {
    const { yes } = await context.ask({ text: prompt, fields: { yes: { type: "boolean" } } });
    return yes;
  };
  return {
    onHumanConfirm: (_, prompt) => confirm(prompt),
    onHumanInput: (_, prompt) => context.ask(prompt),
    async onHumanSelect(_, prompt, options, multiple = false) {
      if (!multiple) return [await context.ask({ text: prompt, choices: options })];
      const items = { type: "string", enum: options } as const;
      return (await context.ask({ text: prompt, fields: { chosen: { type: "array", items } } })).chosen;
    },
    onHumanHelp: (_, _helpType, prompt) => confirm(prompt),
  };
}

/** A sub-agent has a name and its own session. */
function identityOf(
  { caller, sessionId }: ToolContext,
  agent: EkoAgentIdentity | undefined,
): EkoAgentIdentity {
  if (agent !== undefined && caller.name === agent.agentName) return agent;
  return { taskId: agent?.taskId ?? sessionId, agentName: caller.name, nodeId: sessionId };
}

/**
 * Reports a running tool's message as progress of its call, so that all readers of the session's events see it. The last
 * message repeats all of them, and goes to the callback alone.
 */
async function tell(
  message: EkoCallbackMessage,
  context: ToolContext,
  callback: EkoCallback | undefined,
): Promise<void> {
  if (isPlainObject(message) && message.type === "tool_running" && message.streamDone !== true)
    context.progress({ text: String(message.text ?? "") });
  await callback?.onMessage(message);
}
