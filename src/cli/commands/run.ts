import { text } from "node:stream/consumers";
import { modelKeys } from "../../agent/models/find-model.ts";
import { ModelError } from "../../agent/models/model-error.ts";
import { openRuntime, type Runtime } from "../../open-runtime.ts";
import type { Session } from "../../open-session.ts";
import { asUsage } from "../as-usage.ts";
import type { Command } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import type { FlagValues } from "../flags.ts";
import { optionsFromFlags } from "../options-from-flags.ts";
import { readPositiveInteger } from "../read-positive-integer.ts";
import { tellSandbox } from "../tell-sandbox.ts";
import { UsageError } from "../usage-error.ts";
import { workWithAgent } from "../work-with-agent.ts";

export default {
  usage: '["<prompt>" | -]',
  minArguments: 0,
  maxArguments: 1,
  flags: ["model", "base-url", "resume", "max-steps"],
  example: '"Why does the test fail?" --model anthropic/claude-sonnet-4-5 --mode edit',
  note: `- reads the prompt from stdin. Without --session and --resume it is a new conversation. --json prints every event as a line.
Ctrl-C interrupts the work, and quits when it is pressed again; what is typed meanwhile is read with the next step.
Keys are in the environment: ANTHROPIC_API_KEY, OPENAI_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY, and TOOLWRIGHT_API_KEY for
what --base-url names. TOOLWRIGHT_MODEL is the model where --model names none; scripted/FILE says what is in a file.
Exit codes: 0 the model came to its end by itself, 1 it did not, 2 wrong usage, or a key is missing.`,

  async run({ arguments: [argument], flags, output }) {
    const prompt = await readPrompt(argument, flags);
    const model = modelFrom(flags);
    const maxSteps = readPositiveInteger("--max-steps", flags["max-steps"]);
    const options = await optionsFromFlags(flags);
    const secrets = [...(options.secrets ?? []), ...modelKeys(process.env)];
    const runtime = await asUsage(() => openRuntime({ ...options, secrets }));
    try {
      await tellSandbox(runtime, output);
      const session = await openRunSession(runtime, flags);
      const { "base-url": baseUrl } = flags;
      const given = {
        model,
        session,
        ...(maxSteps && { maxSteps }),
        ...(baseUrl !== undefined && { baseUrl }),
      };
      const { reason } = await workWithAgent(prompt, {
        session,
        output,
        asJson: flags.json === true,
        createAgent: (attended) => runtime.agent({ ...given, ...attended }),
      });
      return reason === "done" ? exitCodes.done : exitCodes.failed;
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      throw new UsageError(error.message, { cause: error });
    } finally {
      await runtime.close();
    }
  },
} satisfies Command;

async function readPrompt(argument: string | undefined, flags: FlagValues): Promise<string | undefined> {
  const prompt = argument === "-" ? await text(process.stdin) : argument;
  if (prompt !== undefined && prompt.trim() !== "") return prompt;
  if (prompt === undefined && flags.resume !== undefined) return undefined;
  throw new UsageError('the prompt is missing; usage: toolwright run "<prompt>", or - to read it from stdin');
}

function modelFrom(flags: FlagValues): string {
  const name = flags.model ?? process.env.TOOLWRIGHT_MODEL;
  if (name !== undefined && name !== "") return name;
  throw new UsageError(
    "no model is chosen; give --model, such as anthropic/<model>, openai/<model>, google/<model> or ollama/<model>, or set TOOLWRIGHT_MODEL",
  );
}

/** A conversation of its own, unless one is named. To go on with one, it has to be there. */
async function openRunSession(runtime: Runtime, { session, resume }: FlagValues): Promise<Session> {
  if (session !== undefined && resume !== undefined)
    throw new UsageError("--session and --resume name the same thing; give one of them");
  const id = resume ?? session;
  if (resume !== undefined && !(await runtime.sessions()).some((known) => known.id === resume))
    throw new UsageError(`there is no session ${JSON.stringify(resume)}; \`toolwright sessions\` lists them`);
  return asUsage(() => runtime.openSession(id === undefined ? {} : { id }));
}
