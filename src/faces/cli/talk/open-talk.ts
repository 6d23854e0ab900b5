import { modelKeys } from "../../../capabilities/agents/models/find-model.ts";
import { openRuntime, type Runtime } from "../../../open-runtime.ts";
import type { FlagValues } from "../flags.ts";
import { asUsage } from "../open/as-usage.ts";
import { optionsFromFlags } from "../open/options-from-flags.ts";
import { readAgentFlags } from "../open/read-agent-options.ts";
import { currentPerson } from "../terminal/current-person.ts";
import { UsageError } from "../usage-error.ts";
import { byOpening, chooseSession } from "./slash/choose-session.ts";
import { slashCommands } from "./slash/slash-commands.ts";
import { createTalk, type Talk, type WantedSession } from "./talk.ts";
import type { TalkView } from "./talk-view.ts";

interface OpenedTalk {
  readonly talk: Talk;
  readonly runtime: Runtime;
  readonly store: string | undefined;
}

/** Opens the runtime and the session that the flags name; a new one if they name none. */
export async function openTalk(view: TalkView, flags: FlagValues): Promise<OpenedTalk> {
  const options = await optionsFromFlags(flags);
  const secrets = [...(options.secrets ?? []), ...modelKeys(process.env)];
  const runtime = await asUsage(() =>
    openRuntime({
      ...options,
      secrets,
      caller: currentPerson(),
      onApproval: view.onApproval,
      onQuestion: view.onQuestion,
    }),
  );
  try {
    const session = toWanted(await findSession(runtime, { view, flags }), flags);
    const { model = process.env.TOOLWRIGHT_MODEL } = flags;
    const talk = await createTalk({
      runtime,
      view,
      commands: slashCommands,
      agent: { ...readAgentFlags(flags), ...(model && { model }) },
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

function toWanted(id: string | undefined, { fork }: FlagValues): WantedSession {
  if (fork && id === undefined)
    throw new UsageError(
      "--fork needs --continue, --resume or --session, to name the conversation to begin with",
    );
  return id === undefined ? {} : fork ? { fork: { from: id } } : { id };
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
  const sessions = await runtime.sessions();
  if (resume !== undefined) {
    if (sessions.some(({ id }) => id === resume)) return resume;
    throw new UsageError(`no session ${JSON.stringify(resume)}; \`toolwright sessions\` lists them`);
  }
  const here = sessions.filter(
    ({ parent, workspace }) => parent === undefined && workspace === runtime.workspace,
  );
  return here.toSorted(byOpening)[0]?.id;
}
