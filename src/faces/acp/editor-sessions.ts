import type { AgentContext, ElicitationSchema, PromptResponse, StopReason } from "@agentclientprotocol/sdk";
import type {
  AgentResult,
  MessagePart,
  SessionAgent,
  SessionAgentOptions,
} from "../../capabilities/agents/index.ts";
import type { Runtime } from "../../open-runtime.ts";
import { defined } from "../../shared/options/defined.ts";
import type { AgentEndReason } from "../../tool/services/agents.ts";
import type { QuestionHandler } from "../../tool/services/question.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { questionForm } from "../mcp-server/call/elicitation-form.ts";
import { askPermission, type EditorOfSession } from "./ask-permission.ts";
import { createUpdateMapper, followSession } from "./follow-session.ts";
import { fillCommand, type PromptCommands, toAvailable } from "./read-prompt.ts";
import { createToolCallView } from "./tool-call-view.ts";

export type EditorSession = Awaited<ReturnType<typeof openEditorSession>>;

export interface EditorSessionOptions {
  readonly runtime: Runtime;
  readonly client: Pick<AgentContext, "request" | "notify">;
  readonly agentOptions: SessionAgentOptions & { readonly model: string };
  /** Commands that the person may begin a prompt with, as they are now. */
  readonly findCommands: () => Promise<PromptCommands>;
  /** The editor can show forms. */
  readonly canAsk: boolean;
  /** The editor's name, for the record. */
  readonly by: string;
  /** Resumes this session. Default: a new one. */
  readonly id?: string | undefined;
}

/** Opens a session for an editor. */
export async function openEditorSession(options: EditorSessionOptions) {
  const { runtime, client, agentOptions, findCommands, canAsk, by, id } = options;
  const { contextTokens = defaultContextTokens } = agentOptions;
  let { model } = agentOptions;
  const { workspace } = runtime;
  const session = await runtime.openSession({ ...defined({ id }), model });
  const view = createToolCallView(workspace, (name) => {
    const { providedBy } = runtime.tools.explain(name);
    const entry = runtime.tools.list().find((each) => each.name === (providedBy?.tool ?? name));
    return entry && { ...entry, isReadOnly: entry.tool.traits.readOnly };
  });
  const mapper = createUpdateMapper(view, { contextTokens });
  const follower = await followSession(session, { client, mapper });
  const { catchUp } = follower;
  const editor = { client, session, view, workspace, by, catchUp };
  const openAgent = (): SessionAgent =>
    runtime.agent({
      ...agentOptions,
      model,
      session,
      onApproval: askPermission(editor),
      ...defined({ onQuestion: canAsk ? askInEditor(editor) : undefined }),
    });
  let agent = openAgent();
  /** The agent that answers now; after `setModel`, another one answers the next prompt. */
  let working = agent;
  const stopAgents = async () => {
    const working = session.agents.list().filter(({ status }) => status === "in_progress");
    // An agent that has just ended cannot be cancelled; this error is ignored.
    await Promise.allSettled(working.map(({ id: each }) => session.agents.cancel(each)));
  };
  let isCancelled = false;

  return {
    session,
    follower,
    get model() {
      return model;
    },
    /** Changes the model from the next prompt on. */
    setModel(name: string): void {
      model = name;
      agent = openAgent();
    },
    async tellCommands(): Promise<void> {
      const update = {
        sessionUpdate: "available_commands_update" as const,
        ...toAvailable(await findCommands()),
      };
      if (update.availableCommands.length > 0)
        await client.notify("session/update", { sessionId: session.id, update });
    },
    async prompt(message: readonly MessagePart[]): Promise<PromptResponse> {
      isCancelled = false;
      mapper.expectMessage();
      working = agent;
      const result = await working.run(fillCommand(message, await findCommands()));
      await stopAgents();
      await catchUp();
      return { stopReason: stopReasonOf(result, isCancelled) };
    },
    cancel(): void {
      isCancelled = true;
      working.interrupt();
      void stopAgents();
    },
    async close(): Promise<void> {
      working.interrupt();
      await stopAgents();
      await session.close();
    },
  };
}

const defaultContextTokens = 128_000;

function stopReasonOf({ reason, error }: AgentResult, isCancelled: boolean): StopReason {
  if (isCancelled) return "cancelled";
  if (reason === "failed") throw new Error(`the model failed: ${error?.message ?? "no reason was given"}`);
  return stopReasons[reason];
}

const stopReasons = {
  done: "end_turn",
  "stop-condition": "end_turn",
  "max-steps": "max_turn_requests",
  budget: "max_turn_requests",
  "cut-off": "max_tokens",
  refused: "refusal",
  interrupted: "cancelled",
} satisfies Record<Exclude<AgentEndReason, "failed">, StopReason>;

/** Asks a tool's question in the editor, as the same form that an MCP client is shown. */
function askInEditor({ client, session, catchUp }: EditorOfSession): QuestionHandler {
  return async (question, signal, from) => {
    const form = questionForm(question, from, newestForms);
    if (form === undefined) throw new ToolError("nobody-to-ask", "the question is too long for a form");
    await catchUp();
    let problem: string | undefined;
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const { message, requestedSchema } = form.request(problem).params as {
        message: string;
        requestedSchema: ElicitationSchema;
      };
      const response = await client.request(
        "elicitation/create",
        { mode: "form", sessionId: session.id, toolCallId: from.callId, message, requestedSchema },
        { cancellationSignal: signal, stopWaitingOnCancel: true },
      );
      const reading = form.read(response);
      if (reading !== undefined && "answer" in reading) return reading.answer;
      if (reading !== undefined && "refusal" in reading) throw reading.refusal;
      problem = reading !== undefined && "problem" in reading ? reading.problem : "The answer is missing.";
    }
    throw new ToolError("nobody-to-ask", `the editor gave no usable answer: ${problem}`);
  };
}

/** Fields of forms as the protocol has them, which are those of MCP. */
const newestForms = "";
const maxAttempts = 3;
