import type { AgentContext, ElicitationSchema } from "@agentclientprotocol/sdk";
import type { QuestionHandler } from "../../tool/services/question.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { questionForm } from "../mcp-server/call/elicitation-form.ts";

interface QuestionAsking {
  readonly client: Pick<AgentContext, "request">;
  readonly sessionId: string;
  /** Resolves when the editor was told of everything so far, the call included. */
  catchUp(): Promise<void>;
}

/** Asks a tool's question in the editor, as the same form that an MCP client is shown. */
export function askInEditor({ client, sessionId, catchUp }: QuestionAsking): QuestionHandler {
  return async (question, signal, from) => {
    const form = questionForm(question, from, newestForms);
    if (form === undefined) throw new ToolError("nobody-to-ask", "the question is too long for a form");
    await catchUp();
    let problem: string | undefined;
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const { message, requestedSchema } = form.request(problem).params as FormParams;
      const response = await client.request(
        "elicitation/create",
        { mode: "form", sessionId, toolCallId: from.callId, message, requestedSchema },
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

interface FormParams {
  readonly message: string;
  readonly requestedSchema: ElicitationSchema;
}
