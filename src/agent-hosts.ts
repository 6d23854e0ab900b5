import type { AgentHost } from "./agent/agent-host.ts";
import type { SessionParts } from "./create-environment.ts";
import { catalogueOf, openTools, toolChoice } from "./open-tools.ts";
import type { CallEnvironment } from "./runtime/pipeline/call.ts";
import { callAll } from "./runtime/pipeline/call-all.ts";
import { readLog } from "./runtime/sessions/event-stream.ts";
import type { OpenCalls } from "./runtime/sessions/open-calls.ts";
import type { SessionLog } from "./runtime/sessions/session-log.ts";
import type { Reminder } from "./runtime/tasks/reminder.ts";
import type { SessionTools } from "./runtime/tool-search/session-tools.ts";
import type { ToolFilter } from "./tool-filter.ts";

/** What agents need of the session they work in, each with the tools that it may use. */
export function createAgentHosts(
  parts: SessionParts,
  { id, log, openCalls, environment, tools: allTools, reminder }: AgentSession,
): (allows?: ToolFilter) => Promise<AgentHost> {
  const { store, workspace, redactor, blobs } = parts;
  const shared = {
    sessionId: id,
    workspace: workspace.root,
    log,
    redactor,
    openCalls,
    turn: { isTaken: false },
    keepOutput: environment.keepOutput,
    keepBytes: async (bytes: Buffer) => {
      const { hash, kept } = await blobs.keepBytes(bytes);
      return kept ? hash : undefined;
    },
    readBytes: blobs.read,
    takeReminder: reminder.take,
    readLog: (since: number) => readLog(store, id, since),
  };
  return async (allows) => {
    const { view, toolSearch } = allows === undefined ? parts : parts.limitTools(allows);
    const session = () => environment.session;
    const tools =
      allows === undefined ? allTools : await openTools({ store, toolSearch }, { id, log, session });
    const limited = () => ({ ...environment, dialect: view, tools: catalogueOf(tools) });
    return {
      ...shared,
      activeTools: () => tools.active().map((entry) => view.present(entry, session())),
      toolManuals: toolChoice(tools, view).toolManuals,
      // What a call meets on its way may change, so that is looked up each time.
      callAll: (calls) => callAll(allows === undefined ? environment : limited(), calls),
    };
  };
}

interface AgentSession {
  readonly id: string;
  readonly log: SessionLog;
  readonly openCalls: OpenCalls;
  readonly environment: CallEnvironment;
  readonly tools: SessionTools;
  readonly reminder: Pick<Reminder, "take">;
}
