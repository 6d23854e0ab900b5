import { ToolError } from "../../tool/tool-error.ts";
import type { AgentOptions } from "../agent-options.ts";
import type { Parent } from "../agent-rights.ts";
import type { AgentRuntimeParts } from "../agent-runtime-parts.ts";
import { providers } from "../models/providers.ts";
import type { ChildPlan } from "./child-agent.ts";
import { defaultSubAgentLimits, type SubAgentOptions } from "./sub-agent-options.ts";
import type { AgentTemplate } from "./templates/agent-template.ts";
import { pausingQuestions } from "./waiting.ts";

/** How a sub-agent works: as its parent does, but for what its kind and its task say. */
export function childOptions(
  { options: { agents = {}, onQuestion: runtimeHandler } }: Pick<AgentRuntimeParts, "options">,
  { id, task, parent, isAwaited }: Pick<ChildPlan<Parent>, "id" | "task" | "parent" | "isAwaited">,
  template: AgentTemplate | undefined,
): NamedAgentOptions {
  const like: Partial<AgentOptions> = parent.options ?? {};
  const { model, baseUrl, budget, stopWhen, ...inherited } = like;
  // What was meant for one model may be wrong for another.
  const { providerOptions, contextTokens, maxOutputTokens, reasoning, ...forAnyModel } = inherited;
  const given = [like, agents];
  const named = nameOfModel(task.model, template, { agents, given });
  const { onApproval, onQuestion = runtimeHandler } = parent;
  return {
    ...(named === undefined ? inherited : forAnyModel),
    ...modelOf(named, given),
    name: `${template?.name ?? "agent"} ${id}`,
    maxSteps: maxStepsOf(template, agents),
    ...(template?.system !== undefined && { system: template.system }),
    ...(onApproval && { onApproval }),
    ...(onQuestion && { onQuestion: isAwaited ? pausingQuestions(onQuestion, parent.clock) : onQuestion }),
  };
}

export type NamedAgentOptions = AgentOptions & { readonly name: string };

/** A kind that is given in code says it for itself; one from a file can only be content with less. */
function maxStepsOf(
  template: AgentTemplate | undefined,
  { maxSteps = defaultSubAgentLimits.maxSteps, templates = {} }: SubAgentOptions,
): number {
  if (template?.maxSteps === undefined) return maxSteps;
  return isFromCode(template, { templates }) ? template.maxSteps : Math.min(template.maxSteps, maxSteps);
}

function isFromCode({ name }: AgentTemplate, { templates = {} }: SubAgentOptions): boolean {
  return Object.hasOwn(templates, name);
}

/** Undefined where it has its parent's. */
function nameOfModel(
  wanted: string | undefined,
  template: AgentTemplate | undefined,
  { agents, given }: { agents: SubAgentOptions; given: readonly GivenModel[] },
): string | undefined {
  const named = wanted ?? template?.model;
  if (named === undefined || named === "inherit") return undefined;
  if (wanted !== undefined || !isFromCode(template!, agents)) refuseElsewhere(named, given);
  return named;
}

/**
 * A model and a file may choose among models, but not to whom everything is sent that the agent reads. Where a model that
 * was given as an object is reached is not known, so that it vouches for no other.
 */
function refuseElsewhere(name: string, given: readonly GivenModel[]): void {
  const known = new Set(given.flatMap(({ model }) => (typeof model === "string" ? [providerOf(model)] : [])));
  // A script could be any file of the machine, and what is in it would be told.
  if (known.has(providerOf(name)) && !name.startsWith("scripted/")) return;
  throw new ToolError("permission-denied", `${JSON.stringify(name)} is a model of another provider`, {
    hint: `${known.size === 0 ? "Leave the model out" : `Leave the model out, or name one of ${[...known].join(" or ")}`}. Others can be given to kinds of agents in agents.templates.`,
  });
}

type GivenModel = Pick<SubAgentOptions, "model" | "baseUrl">;

/** The one that is named, or the first that is given; each is reached where it was given. */
function modelOf(
  named: string | undefined,
  given: readonly GivenModel[],
): Pick<AgentOptions, "model" | "baseUrl"> {
  const known = given.find(({ model }) => model !== undefined);
  const model = named ?? known?.model;
  if (model === undefined) {
    throw new ToolError("unavailable", "there is no model for a sub-agent", {
      hint: "Whoever runs Toolwright can name one as agents.model in the options or the configuration.",
    });
  }
  const place = named === undefined ? known : given.find((other) => isReachedAlike(named, other.model));
  return { model, ...(place?.baseUrl !== undefined && { baseUrl: place.baseUrl }) };
}

/** Another model of the same provider is where that one is, and not wherever the provider is found otherwise. */
function isReachedAlike(name: string, other: GivenModel["model"]): boolean {
  return typeof other === "string" && providerOf(name) === providerOf(other);
}

/** What no provider's name begins is known at an address of its own. */
function providerOf(name: string): string {
  const [prefix = ""] = name.split("/", 1);
  return providers.has(prefix) ? prefix : "openai-compatible";
}
