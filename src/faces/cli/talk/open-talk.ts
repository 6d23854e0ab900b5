import { openRuntime, type Runtime } from "../../../open-runtime.ts";
import { UsageError, unknownSession } from "../command.ts";
import type { FlagValues } from "../flags.ts";
import { asUsage } from "../open/as-usage.ts";
import { agentRuntimeOptions, readAgentFlags } from "../open/read-agent-options.ts";
import { namedSession } from "../open/with-session.ts";
import { currentPerson } from "../terminal/current-person.ts";
import { chooseSession, sessionsHere } from "./slash/choose-session.ts";
import { slashCommands } from "./slash/slash-commands.ts";
import { createTalk } from "./talk.ts";
import type { TalkView } from "./talk-view.ts";

/** Opens the runtime and the session that the flags name; a new one if they name none. */
export async function openTalk(view: TalkView, flags: FlagValues) {
  const options = await agentRuntimeOptions(flags);
  const { onApproval, onQuestion } = view;
  const runtime = await asUsage(() =>
    openRuntime({ ...options, caller: currentPerson(), onApproval, onQuestion }),
  );
  try {
    const found = await findSession(runtime, { view, flags });
    const session = namedSession(found, flags.fork, "--continue, --resume or --session");
    const { model = process.env.TOOLWRIGHT_MODEL } = flags;
    const talk = await createTalk({
      runtime,
      view,
      commands: slashCommands,
      agent: { ...readAgentFlags(flags), model: model || undefined },
      mode: options.permissions?.mode ?? "ask",
      dialect: flags.dialect,
      session,
      price: process.env.TOOLWRIGHT_PRICE,
    });
    return { talk, runtime, store: options.store };
  } catch (error) {
    await runtime.close();
    throw error;
  }
}

async function findSession(
  runtime: Runtime,
  { view, flags }: { view: TalkView; flags: FlagValues },
): Promise<string | undefined> {
  const { session, resume, continue: isToContinue } = flags;
  if ([session, resume, isToContinue].filter((given) => given !== undefined).length > 1)
    throw new UsageError("--session, --resume and --continue each name the session; give only one");
  if (resume === "") return chooseSession({ runtime, view });
  if (resume === undefined && !isToContinue) return session;
  if (resume === undefined) return (await sessionsHere(runtime))[0]?.id;
  if ((await runtime.sessions()).some(({ id }) => id === resume)) return resume;
  throw unknownSession(resume);
}
