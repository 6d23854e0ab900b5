import { defined } from "../../../../shared/options/defined.ts";
import { aFlag, aText, objectOf } from "../../../../tool/builtin/schema-parts.ts";
import { declareTool } from "../../../../tool/define-tool.ts";
import { ToolError } from "../../../../tool/tool-error.ts";

export default declareTool({
  name: "user_ask",
  description:
    "Ask the user a question and wait for the answer. Use it when only the user can know, and give a default if the work can continue without an answer.",
  params: {
    question: { type: "string", minLength: 1, maxLength: 4000, description: "What to ask" },
    context: {
      type: "string",
      maxLength: 20_000,
      required: false,
      description: "Facts that the user needs to answer",
    },
    choices: {
      type: "array",
      items: { type: "string", minLength: 1, maxLength: 500 },
      minItems: 1,
      maxItems: 50,
      uniqueItems: true,
      required: false,
      description: "The possible answers, if there are only a few",
    },
    default: {
      type: "string",
      maxLength: 4000,
      required: false,
      description: "The answer to continue with if no person answers; one of the choices, if there are any",
    },
    timeout: {
      type: "integer",
      minimum: 1,
      maximum: 86_400_000,
      default: 300_000,
      description: "How long to wait for the answer, in milliseconds",
    },
  },
  prompt: `Ask only what you cannot find out yourself and what affects what you do next. Ask one question at a time, and offer choices when there are few.
If no person answers, the call returns the default; without a default it fails. It does not wait if no person can be asked.`,
  aliases: ["clarify"],
  traits: { readOnly: true },
  output: objectOf(
    { answer: aText, answeredBy: { enum: ["person", "default"] }, timedOut: aFlag },
    { reason: { ...aText, description: "Why the default was used" } },
  ),
  searchHint: "ask question clarify person human choose confirm",
  permission: () => ({ action: "interact" }),
  async run({ question, context, choices, default: fallback, timeout }, { ask }): Promise<AskAnswer> {
    if (fallback !== undefined && choices !== undefined && !choices.includes(fallback)) {
      throw new ToolError("invalid-input", `$.default must be one of the choices: ${choices.join(", ")}`);
    }
    const asking = ask({
      text: context === undefined ? question : `${question}\n\n${context}`,
      timeoutMs: timeout,
      ...defined({ choices, default: fallback }),
    });
    return fallback === undefined ? answered(await asking) : orDefault(asking, fallback);
  },
  toText: ({ answer, reason }) =>
    reason === undefined ? answer : `No answer (${reason}); using the default: ${answer}`,
});

interface AskAnswer {
  readonly answer: string;
  readonly answeredBy: "person" | "default";
  readonly timedOut: boolean;
  /** Why the default was used. */
  readonly reason?: string;
}

function answered(answer: string): AskAnswer {
  return { answer, answeredBy: "person", timedOut: false };
}

async function orDefault(asking: Promise<string>, fallback: string): Promise<AskAnswer> {
  try {
    return answered(await asking);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const { code, message: reason } = error;
    if (!unanswered.has(code)) throw error;
    return { answer: fallback, answeredBy: "default", timedOut: code === "timed-out", reason };
  }
}

const unanswered: ReadonlySet<string> = new Set(["nobody-to-ask", "declined", "timed-out"]);
