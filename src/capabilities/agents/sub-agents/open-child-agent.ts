import { askHooks, tellHooks } from "../../../kernel/call/index.ts";
import { withoutPeople } from "../../../kernel/people/index.ts";
import { narrowerMode } from "../../../kernel/policy/index.ts";
import type { Lineage, OpeningSession, ParentSession } from "../../../kernel/runtime/index.ts";
import { createBudget } from "../../../kernel/session/index.ts";
import { keptIn, keptPlace } from "../../../kernel/store/index.ts";
import { activeTools } from "../../../kernel/tool-search/index.ts";
import { newId } from "../../../shared/new-id.ts";
import { defined } from "../../../shared/options/defined.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { createAgent } from "../agent.ts";
import type { AgentRights, AgentRuntimeParts, OpenedSession } from "../host/agent-runtime-parts.ts";
import type { ChildAgent, ChildPlan, LostChild } from "./child-agent.ts";
import { childOptions, type NamedAgentOptions } from "./child-options.ts";
import { type ChildPlace, openPlace } from "./child-place.ts";
import { childTools, everyTool } from "./child-tools.ts";
import type { AgentTemplate } from "./templates/agent-template.ts";
import { pausingApprovals } from "./waiting.ts";

/** A session that spawns sub-agents. */
export interface SpawningSession extends Lineage {
  readonly session: Pick<OpeningSession, "id" | "taskId" | "dialect"> & Shared;
}

/** The parts of a session that the sessions of its sub-agents share. */
type Shared = Pick<ParentSession, "budget" | "approvals" | "grants" | "proposals" | "taint" | "mode">;

/** Makes a sub-agent in its own session, with no more rights than its parent. */
export async function openChildAgent(
  parts: AgentRuntimeParts,
  spawner: SpawningSession,
  plan: ChildPlan,
): Promise<ChildAgent> {
  if (spawner.depth >= spawner.maxDepth) throw tooDeep(spawner.maxDepth);
  const template = await findTemplate(parts, spawner, plan.task.kind);
  const options = childOptions(parts, plan, template);
  const { kind, prompt } = plan.task;
  await askHooks(parts.hooks().event, {
    event: "SubagentStart",
    sessionId: spawner.session.id,
    title: plan.title,
    ...defined({ kind }),
    prompt: parts.redactor.text(prompt),
  });
  const place = await openPlace(parts, plan);
  try {
    return await openChild({ parts, spawner, plan, template, options, place });
  } catch (error) {
    await place.close();
    throw error;
  }
}

function tooDeep(maxDepth: number): ToolError {
  const message = maxDepth === 0 ? "agents may not be spawned here" : "sub-agents may not spawn agents here";
  return new ToolError("permission-denied", message, { hint: "Do the work yourself." });
}

async function findTemplate(
  { templates }: AgentRuntimeParts,
  { allowedKinds }: SpawningSession,
  kind: string | undefined,
): Promise<AgentTemplate | undefined> {
  if (kind === undefined) return undefined;
  if (allowedKinds !== undefined && !allowedKinds.includes(kind)) {
    throw new ToolError(
      "permission-denied",
      `agents of kind ${JSON.stringify(kind)} may not be spawned here`,
      {
        hint:
          allowedKinds.length === 0 ? "Leave the kind out." : `Allowed kinds: ${allowedKinds.join(", ")}.`,
      },
    );
  }
  return templates.find(kind);
}

interface NewChild {
  readonly parts: AgentRuntimeParts;
  readonly spawner: SpawningSession;
  readonly plan: ChildPlan;
  readonly template: AgentTemplate | undefined;
  readonly options: NamedAgentOptions;
  readonly place: ChildPlace;
}

async function openChild({ parts, spawner, plan, template, options, place }: NewChild): Promise<ChildAgent> {
  const { session: shared } = spawner;
  const { id, taskId, dialect, mode } = shared;
  const { parent, task } = plan;
  const { onBehalfOf, ...caller } = parent.caller;
  const depth = spawner.depth + 1;
  const maxDepth = Math.min(spawner.maxDepth, depth + levelsBelow(template));
  const allowedKinds = template?.agents?.allowed ?? spawner.allowedKinds;
  const allows = childTools(parts, { parent, template, maySpawn: depth < maxDepth });
  const { sessionId = newId("session") } = plan;
  const isNew = plan.sessionId === undefined;
  const record = { sessionId: id, agentId: plan.id, title: plan.title, ...defined({ kind: task.kind }) };
  const approvals = plan.isAwaited ? pausingApprovals(shared.approvals, parent.clock) : shared.approvals;
  const opened = await place.parts.openChild(
    {
      id: sessionId,
      taskId,
      mode: narrowerMode(mode.current, template?.mode ?? mode.current),
      dialect,
      caller: { kind: "agent", name: options.name, onBehalfOf: onBehalfOf ?? caller },
    },
    { ...shared, approvals, record, depth, maxDepth, allowedKinds },
  );
  const session = opened as OpenedSession;
  const prepare = async () => {
    if (isNew) await copyActivations(parts, id, sessionId);
    // The events up to here were told when they happened.
    return isNew ? 0 : session.bookmark();
  };
  const since = await prepare().catch(async (error: unknown) => {
    await session.close();
    throw error;
  });
  const rights: AgentRights = {
    options,
    allows,
    ...(sharesPrompt(template) && { offers: parent.offers ?? everyTool, cacheKey: parent.cacheKey ?? id }),
    meter: parent.meter,
  };
  const agent = createAgent(options, () => session.agentHost(rights));
  const { worktree } = place;
  return {
    sessionId,
    branch: worktree?.branch,
    worktree,
    settle: place.settle,
    async run(signal) {
      const result = await agent.run(isNew ? messageOf(task.prompt, place) : task.prompt, { signal });
      const { title } = plan;
      await tellHooks(parts.hooks().event, {
        event: "SubagentStop",
        sessionId: id,
        title,
        reason: result.reason,
      });
      return result;
    },
    events: () => session.events({ since }),
    async close() {
      // The work on its branch is kept even if its session fails to close.
      const closing = session.close();
      await closing.catch(() => {});
      const work = await place.close();
      await closing;
      return work;
    },
  };
}

/** How many levels of sub-agents an agent of this kind may have: a kind of agent spawns none unless its template says so. */
function levelsBelow(template: AgentTemplate | undefined): number {
  if (template !== undefined && template.agents === undefined) return 0;
  return template?.agents?.maxDepth ?? Number.POSITIVE_INFINITY;
}

/** Whether a sub-agent's prompts begin like its parent's, because its template changes nothing in that part. */
function sharesPrompt({ system, tools, agents }: Partial<AgentTemplate> = {}): boolean {
  return system === undefined && tools === undefined && agents?.allowed === undefined;
}

/** Offers a sub-agent the deferred tools that its parent has activated, in the same order. */
async function copyActivations({ store }: AgentRuntimeParts, from: string, to: string): Promise<void> {
  const { write } = keptPlace(activeTools, to);
  const activated = await keptIn(store, activeTools, from).list();
  const variables = [...activated].map(([name, place]) => write(name, place));
  if (variables.length > 0) await store.append(to, { events: [], variables });
}

/** The first message tells the sub-agent who spawned it; its system prompt stays the same as its parent's. */
function messageOf(prompt: string, { worktree }: ChildPlace): string {
  const place =
    worktree === undefined
      ? ""
      : ` You work in ${worktree.root}, your own git worktree on branch ${worktree.branch}; change files only there. There git can be read (status, diff, log) but not written: your changes are committed when you finish, so do not commit and do not switch branches.`;
  return `[You were spawned by another agent. It reads only your last message, and no person reads your messages: do not ask questions, and say in your last message what you did and found.${place}]\n\n${prompt}`;
}

/**
 * Ends the session of a sub-agent whose process is gone. Reopening the session ends its commands, seals its calls, takes over
 * its record of content from strangers, and does the same for the sub-agents that it had spawned.
 */
export async function endLostChild(
  { openChild }: Pick<AgentRuntimeParts, "openChild">,
  { depth, maxDepth, session: { taskId, dialect, taint, grants, proposals, mode } }: SpawningSession,
  { sessionId }: LostChild,
): Promise<void> {
  const nothing = { budget: createBudget(), approvals: withoutPeople().approvals };
  const session = await openChild(
    { id: sessionId, taskId, mode: mode.current, dialect, caller: { kind: "code", name: "toolwright" } },
    { ...nothing, taint, grants, proposals, mode, depth: depth + 1, maxDepth },
  );
  await session.close();
}
