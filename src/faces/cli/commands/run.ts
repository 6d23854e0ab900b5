import { readFile } from "node:fs/promises";
import { createAnswerFormat } from "../../../capabilities/agents/answer-format.ts";
import { ModelError } from "../../../capabilities/agents/index.ts";
import { findModel } from "../../../capabilities/agents/models/find-model.ts";
import type { Runtime } from "../../../open-runtime.ts";
import type { JsonSchema } from "../../../shared/json-schema/json-schema.ts";
import { defined } from "../../../shared/options/defined.ts";
import { confirmTrust } from "../ask/confirm.ts";
import { isAttended } from "../ask/is-attended.ts";
import { type Command, exitCodes, failUsage, UsageError, unknownSession } from "../command.ts";
import { resumeCommand } from "../display/resume-command.ts";
import type { FlagValues } from "../flags.ts";
import { asUsage } from "../open/as-usage.ts";
import { offerInstall } from "../open/offer-install.ts";
import { agentRuntimeOptions, type NamedModel, readAgentOptions } from "../open/read-agent-options.ts";
import { readRunPrompt } from "../open/read-prompt-images.ts";
import { warnOfRisks, withRuntime } from "../open/with-runtime.ts";
import { namedSession } from "../open/with-session.ts";
import { parseJson } from "../read-values.ts";
import { refuseToModels } from "../started-by-session.ts";
import { workWithAgent } from "./work-with-agent.ts";

export default {
  usage: '["<prompt>" | -]',
  arguments: [0, 1],
  flags: ["model", "base-url", "effort", "image", "schema", "resume", "fork", "tools", "max-steps"],
  example: '"Why does the test fail?" --model anthropic/claude-sonnet-4-5 --mode edit',
  note: `- reads the prompt from stdin. Without --session or --resume, a new conversation starts. --json prints each event as a line.
Ctrl-C interrupts the agent; a second Ctrl-C quits. Lines you type while it works are read at its next step.
API keys come from the environment: ANTHROPIC_API_KEY, OPENAI_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY, and
TOOLWRIGHT_API_KEY for --base-url. TOOLWRIGHT_MODEL sets the model when --model does not; scripted/FILE plays answers
from a file. Exit codes: 0 the model finished, 1 it did not, 2 wrong usage or a missing key.`,

  async run({ arguments: [argument], flags, output }) {
    const prompt = await readRunPrompt(argument, flags);
    const schema = await readSchemaFile(flags.schema);
    const agentOptions = readAgentOptions(flags);
    const options = await agentRuntimeOptions(flags);
    const work = async (runtime: Runtime) => {
      await checkResumed(runtime, flags);
      await checkAgent(runtime, agentOptions);
      await warnOfRisks(runtime, output);
      const session = await openRunSession(runtime, { flags, model: agentOptions.model });
      const { reason } = await workWithAgent(prompt, {
        ...{ flags, output, runtime, session, agentOptions, schema },
        resumeCommand: resumeCommand(session.id, { flags, store: options.store }),
      });
      return reason === "done" ? exitCodes.done : exitCodes.failed;
    };
    return withRuntime(options, work).catch((error: unknown) => {
      if (!(error instanceof ModelError)) throw error;
      throw new UsageError(error.message, { cause: error });
    });
  },
} satisfies Command;

/** `--resume` must name an existing session; a wrong id would silently start a new one. */
async function checkResumed(runtime: Runtime, { session, resume }: FlagValues): Promise<void> {
  if (resume === "") throw new UsageError("--resume needs a value; `toolwright sessions` lists the sessions");
  if (session !== undefined && resume !== undefined)
    throw new UsageError("--session and --resume both name the session; give only one");
  const named = resume ?? session;
  if (named === undefined) return;
  const isThere = (await runtime.sessions()).some(({ id }) => id === named);
  // Messages in a conversation that goes on count as the person's.
  if (isThere) await refuseToModels(resume === undefined ? "run --session" : "run --resume");
  if (isThere || resume === undefined) return;
  throw unknownSession(resume);
}

/** Checks the agent's options and model before a session is created, so that no empty conversation is left behind. */
async function checkAgent(runtime: Runtime, options: NamedModel): Promise<void> {
  await asUsage(async () => runtime.agent(options));
  const find = () => findModel(options.model, options);
  await find().catch(async (error: unknown) => {
    if (!(await isAttended())) throw error;
    const confirm = () => confirmTrust(`${(error as Error).message}\nRun this now?`);
    const tell = (text: string) => void process.stderr.write(`${text}\n`);
    const isInstalled = await offerInstall(error, { confirm, tell }, { workspace: runtime.workspace });
    if (!isInstalled) throw error;
    await find();
  });
}

/** Opens a new session unless one is named. */
async function openRunSession(
  runtime: Runtime,
  { flags: { session, resume, dialect, fork }, model }: { flags: FlagValues; model: string },
) {
  const named = namedSession(resume ?? session, fork, "--resume or --session");
  return asUsage(() => runtime.openSession({ ...named, ...defined({ dialect }), model }));
}

/** The schema that the answer must fit, checked before anything runs. */
export async function readSchemaFile(file: string | undefined): Promise<JsonSchema | undefined> {
  if (file === undefined) return undefined;
  const fail = (cause: unknown) => failUsage(`--schema: cannot read ${file}`, cause);
  const schema = parseJson(await readFile(file, "utf8").catch(fail), `--schema: ${file}`) as JsonSchema;
  try {
    createAnswerFormat(schema);
    return schema;
  } catch (cause) {
    return failUsage(`--schema: ${file} is not a JSON Schema that can be checked`, cause);
  }
}
