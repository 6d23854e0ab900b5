import { defined } from "../../../shared/options/defined.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { AgentOptions } from "../agent-options.ts";
import type { AgentRuntimeParts } from "../host/agent-runtime-parts.ts";
import { providerOf } from "../models/find-model.ts";
import type { ChildPlan } from "./child-agent.ts";
import { defaultSubAgentLimits, type SubAgentOptions } from "./sub-agent-options.ts";
import type { AgentTemplate } from "./templates/agent-template.ts";
import { pausingQuestions } from "./waiting.ts";

/** A sub-agent's options: its parent's, except for what its kind and its task change. */
export function childOptions(
  { options: { agents = {}, onQuestion: runtimeHandler } }: Pick<AgentRuntimeParts, "options">,
  { id, task, parent, isAwaited }: ChildPlan,
  template: AgentTemplate | undefined,
): NamedAgentOptions {
  const like: Partial<AgentOptions> = parent.options ?? {};
  const { model, baseUrl, budget, stopWhen, ...inherited } = like;
  // Options for the parent's model may be wrong for another one.
  const { providerOptions, contextTokens, maxOutputTokens, reasoning, ...forAnyModel } = inherited;
  const given = [like, agents];
  const named = nameOfModel(task.model, template, { agents, given });
  const { onApproval, onQuestion = runtimeHandler } = parent;
  return {
    ...(named === undefined ? inherited : forAnyModel),
    ...modelOf(named, given),
    name: `${template?.name ?? "agent"} ${id}`,
    maxSteps: maxStepsOf(template, agents),
    ...defined({
      system: template?.system,
      onApproval,
      onQuestion: onQuestion && isAwaited ? pausingQuestions(onQuestion, parent.clock) : onQuestion,
    }),
  };
}

export type NamedAgentOptions = AgentOptions & { readonly name: string };

/** A template from code may set any limit; one from a file can only lower it. */
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

/** The name of the model that the task or the template asks for; undefined if the sub-agent uses its parent's model. */
function nameOfModel(
  wanted: string | undefined,
  template: AgentTemplate | undefined,
  { agents, given }: { agents: SubAgentOptions; given: readonly GivenModel[] },
): string | undefined {
  const named = wanted ?? template?.model;
  if (named === undefined || named === "inherit") return undefined;
  if (wanted !== undefined || !isFromCode(template!, agents)) refuseOtherProvider(named, given);
  return named;
}

/**
 * A model or a file may choose another model, but not another provider, which would be sent everything the agent reads.
 * A model that was given as an object may be anywhere, so it allows no other.
 */
function refuseOtherProvider(name: string, given: readonly GivenModel[]): void {
  const known = new Set(given.flatMap(({ model }) => (typeof model === "string" ? [providerOf(model)] : [])));
  // A script could be any file on this machine, and its content would be revealed.
  known.delete("scripted");
  if (known.has(providerOf(name))) return;
  const own = known.size === 0 ? "" : `, or name one from ${[...known].join(" or ")}`;
  throw new ToolError("permission-denied", `the model ${JSON.stringify(name)} is from another provider`, {
    hint: `Leave the model out${own}. Templates in agents.templates may use any provider.`,
  });
}

type GivenModel = Pick<SubAgentOptions, "model" | "baseUrl">;

/** The named model, or the first that is given, with the base URL that belongs to it. */
function modelOf(
  named: string | undefined,
  given: readonly GivenModel[],
): Pick<AgentOptions, "model" | "baseUrl"> {
  const known = given.find(({ model }) => model !== undefined);
  const model = named ?? known?.model;
  if (model === undefined) {
    throw new ToolError("unavailable", "no model is configured for sub-agents", {
      hint: "Set agents.model in Toolwright's options or configuration.",
    });
  }
  const place = named === undefined ? known : given.find((other) => isReachedAlike(named, other.model));
  return { model, ...defined({ baseUrl: place?.baseUrl }) };
}

/** Another model of the same provider uses that model's base URL, not the provider's default. */
function isReachedAlike(name: string, other: GivenModel["model"]): boolean {
  return typeof other === "string" && providerOf(name) === providerOf(other);
}
