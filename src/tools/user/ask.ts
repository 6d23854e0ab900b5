import { declareTool } from "../../tool/define-tool.ts";
import { ToolError } from "../../tool/tool-error.ts";

export default declareTool({
  name: "user_ask",
  description:
    "Ask the person a question and wait for the answer. Use it when only they can know, and give a default where the work can go on without them.",
  params: {
    question: { type: "string", minLength: 1, maxLength: 4000, description: "What to ask" },
    context: {
      type: "string",
      maxLength: 20_000,
      required: false,
      description: "What the person has to know to answer",
    },
    choices: {
      type: "array",
      items: { type: "string", minLength: 1, maxLength: 500 },
      minItems: 1,
      maxItems: 50,
      uniqueItems: true,
      required: false,
      description: "The possible answers, if it is one of a few",
    },
    default: {
      type: "string",
      maxLength: 4000,
      required: false,
      description: "The answer to go on with where nobody answers; one of the choices, if there are any",
    },
    timeout: {
      type: "integer",
      minimum: 1,
      maximum: 86_400_000,
      default: 300_000,
      description: "How many milliseconds to wait for the answer",
    },
  },
  prompt: `Ask only what you cannot find out yourself and what changes what you do. Put one question at a time, and offer choices where there are few.
With a default the work goes on when nobody answers; without one it fails then, at once if nobody is there.`,
  aliases: ["clarify"],
  traits: { readOnly: true },
  searchHint: "ask question clarify person human choose confirm",
  permission: () => ({ action: "interact" }),
  async run({ question, context, choices, default: fallback, timeout }, { ask }): Promise<AskAnswer> {
    if (fallback !== undefined && choices !== undefined && !choices.includes(fallback)) {
      throw new ToolError("invalid-input", `$.default must be one of the choices: ${choices.join(", ")}`);
    }
    const asking = ask({
      text: context === undefined ? question : `${question}\n\n${context}`,
      timeoutMs: timeout,
      ...(choices !== undefined && { choices }),
      ...(fallback !== undefined && { default: fallback }),
    });
    return fallback === undefined ? answered(await asking) : orDefault(asking, fallback);
  },
  toText: ({ answer, reason }) =>
    reason === undefined ? answer : `No answer came (${reason}); by default it is: ${answer}`,
});

interface AskAnswer {
  readonly answer: string;
  readonly answeredBy: "person" | "default";
  readonly timedOut: boolean;
  /** Why it is the default. */
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
