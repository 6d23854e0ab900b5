import { type Mode, modes } from "../../runtime/policy/decide.ts";
import type { SessionParent } from "../../runtime/store/store.ts";
import { newId } from "../../shared/new-id.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { createAgent } from "../agent.ts";
import type { AgentRights, Parent } from "../agent-rights.ts";
import type { AgentRuntimeParts } from "../agent-runtime-parts.ts";
import type { ChildAgent, ChildPlan } from "./child-agent.ts";
import { childOptions, type NamedAgentOptions } from "./child-options.ts";
import { type ChildPlace, openPlace } from "./child-place.ts";
import type { Lineage, ParentSession } from "./child-session.ts";
import { childTools, everyTool } from "./child-tools.ts";
import type { AgentTemplate } from "./templates/agent-template.ts";
import { pausingApprovals } from "./waiting.ts";

/** The session in which agents are spawned. */
export interface SpawningSession extends Lineage {
  readonly id: string;
  readonly taskId: string;
  readonly mode: Mode;
  /** What the sessions of its agents share with it. */
  link(): Pick<ParentSession, "budget" | "approvals">;
}

/** Makes a sub-agent: it has a session of its own, which may do no more than its parent's. */
export async function openChildAgent(
  parts: AgentRuntimeParts,
  sending: SpawningSession,
  plan: ChildPlan<Parent>,
): Promise<ChildAgent> {
  if (sending.depth >= sending.maxDepth) throw tooDeep(sending.maxDepth);
  const template = await findTemplate(parts, sending, plan.task.kind);
  const options = childOptions(parts, plan, template);
  const place = await openPlace(parts, plan);
  try {
    return await openChild({ parts, sending, plan, template, options, place });
  } catch (error) {
    await place.close();
    throw error;
  }
}

function tooDeep(maxDepth: number): ToolError {
  const message = maxDepth === 0 ? "agents may spawn no others here" : "a sub-agent may spawn no others";
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
      `agents of the kind ${JSON.stringify(kind)} may not be spawned here`,
      {
        hint:
          allowedKinds.length === 0
            ? "Leave the kind out."
            : `Those that may are ${allowedKinds.join(", ")}.`,
      },
    );
  }
  return templates.find(kind);
}

interface NewChild {
  readonly parts: AgentRuntimeParts;
  readonly sending: SpawningSession;
  readonly plan: ChildPlan<Parent>;
  readonly template: AgentTemplate | undefined;
  readonly options: NamedAgentOptions;
  readonly place: ChildPlace;
}

async function openChild({ parts, sending, plan, template, options, place }: NewChild): Promise<ChildAgent> {
  const { id, taskId } = sending;
  const { parent, task } = plan;
  const depth = sending.depth + 1;
  const maxDepth = Math.min(sending.maxDepth, depth + levelsBelow(template));
  const allowedKinds = template?.agents?.allowed ?? sending.allowedKinds;
  const allows = childTools(parts, { parent, template, mayGoOn: depth < maxDepth });
  const sessionId = newId("session");
  const shared = sending.link();
  const approvals = plan.isAwaited ? pausingApprovals(shared.approvals, parent.clock) : shared.approvals;
  const session = await place.parts.openChild(
    {
      id: sessionId,
      taskId,
      mode: stricter(sending.mode, template?.mode),
      caller: { kind: "agent", name: options.name },
    },
    {
      ...shared,
      approvals,
      record: recordOf(id, plan),
      depth,
      maxDepth,
      ...(allowedKinds && { allowedKinds }),
    },
  );
  await copyActivations(parts, id, sessionId).catch(async (error: unknown) => {
    await session.close();
    throw error;
  });
  const rights: AgentRights = {
    options,
    allows,
    ...(sharesPrompt(template) && { offers: parent.offers ?? everyTool, cacheKey: parent.cacheKey ?? id }),
    ...(parent.meter && { meter: parent.meter }),
  };
  const agent = createAgent(options, () => session.agentHost(rights));
  const { worktree } = place;
  return {
    sessionId,
    ...(worktree && { branch: worktree.branch, worktree }),
    run: (signal) => agent.run(messageOf(task.prompt, place), { signal }),
    events: () => session.events(),
    async close() {
      // What it left on its branch is kept also where its session cannot be closed as it should.
      const closing = session.close();
      await closing.catch(() => {});
      const work = await place.close();
      await closing;
      return work;
    },
  };
}

function recordOf(
  sessionId: string,
  { id: agentId, title, task: { kind } }: ChildPlan<Parent>,
): SessionParent {
  return { sessionId, agentId, title, ...(kind !== undefined && { kind }) };
}

/** How many may stand below it: a kind of agent spawns none unless it says so. */
function levelsBelow(template: AgentTemplate | undefined): number {
  if (template !== undefined && template.agents === undefined) return 0;
  return template?.agents?.maxDepth ?? Number.POSITIVE_INFINITY;
}

function stricter(mode: Mode, other: Mode = mode): Mode {
  return modes.indexOf(other) < modes.indexOf(mode) ? other : mode;
}

/** Whether its prompts begin as its parent's do: nothing that stands there is of its own. */
function sharesPrompt({ system, tools, agents }: Partial<AgentTemplate> = {}): boolean {
  return system === undefined && tools === undefined && agents?.allowed === undefined;
}

/** What its parent has activated, it is offered too, in the same order. */
async function copyActivations({ store }: AgentRuntimeParts, from: string, to: string): Promise<void> {
  const activated = await store.readVariables(`active-tools:${from}`);
  const variables = [...activated].map(([name, value]) => ({ scope: `active-tools:${to}`, name, value }));
  if (variables.length > 0) await store.append(to, { events: [], variables });
}

/** Said in its first message: what it is told before that is the same as for its parent. */
function messageOf(prompt: string, { worktree }: ChildPlace): string {
  const place =
    worktree === undefined
      ? ""
      : ` You work in ${worktree.root}, a git worktree of your own on the branch ${worktree.branch}: change files only there. What you leave there is committed when you end, so do not commit, and do not switch branches.`;
  return `[You were spawned by another agent, which reads nothing but your last message. Nobody else reads along: work without asking, and tell it at the end what you did and found.${place}]\n\n${prompt}`;
}
