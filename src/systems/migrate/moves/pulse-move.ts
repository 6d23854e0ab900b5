import { nameIn, type SourceNode } from "../../../capabilities/code/parse-source.ts";
import { calledMethod, firstArgument, textOf, valueAt } from "../source-view.ts";
import {
  better,
  change,
  type FoundUse,
  instead,
  type Judged,
  type Move,
  optionsIn,
  runs,
  sourceGlob,
  type UsingSource,
  writtenWith,
} from "./move.ts";

const ownLoop = "use Engine, which runs the loop";
const scanned = "import the plugin and give it as enginePlugins: { plugins: [plugin] }";
const planMode = 'use the mode "readonly" in toolwright: { permissions }, which holds for every tool';
const tasks = "leave it out: tasks are built in as tools";
const builtinTool = "leave it out: the tool is built in under the same name";
const service = "leave it out";

export const pulseMove: Move = {
  title: "Pulse",
  entry: "toolwright/pulse",
  packages: ["pulse-coder-engine", "pulse-coder-engine/types"],
  words: String.raw`pulse-coder-engine|\bEnginePlugin\b|\bregisterHook\b|\b(?:before|after)(?:ToolCall|LLMCall|Run)\b|\bonClarificationRequest\b`,
  glob: sourceGlob,
  missing: {
    ...instead(scanned, "UserConfigPlugin UserConfigPluginLoadOptions EnginePluginLoadOptions"),
    ...instead(service, "builtInPlugins CompactionEvent OnCompactedEvent OnCompactedInput"),
    ...instead("leave it out: skills are built in", "builtInSkillsPlugin BuiltInSkillRegistry"),
    ...instead(planMode, "builtInPlanModePlugin BuiltInPlanModeService PlanMode PlanModeService"),
    ...instead(tasks, "builtInTaskTrackingPlugin TaskListService WorkTask TaskStatus"),
    ...instead(ownLoop, "loop LoopOptions LoopHooks streamTextAI"),
    ...instead(
      builtinTool,
      `BuiltinTools BuiltinToolsMap readTool ReadTool WriteTool EditTool GrepTool LsTool BashTool
       TavilyTool ClarifyTool`,
    ),
    PulseAgent: "use Engine",
    PluginManager: "give plugins to new Engine({ enginePlugins: { plugins } })",
    builtInMCPPlugin: "name the servers in toolwright: { mcpServers: … }",
    builtInAgentTeamsPlugin: "leave it out: agents are spawned with the built-in tool",
    maybeCompactContext: "leave it out: old outputs are removed before the context is full",
    truncateOutput: "leave it out: every output is cut, and the whole of it kept",
    RunContext: "give run() a message: the conversation stays with the engine",
    LLMProviderFactory: "give a model of the AI SDK as `model`",
    ILogger: "give a logger as toolwright: { logger }",
    EngineHookMap: "use EngineHooks",
    EngineHookName: "use keyof EngineHooks",
  },
  missingMethods: {
    Engine: {
      compactContext: "leave it out: old outputs are removed before the context is full",
      getPluginStatus: "leave it out: a plugin that fails is reported when the engine is initialised",
      getMode: planMode,
      setMode: planMode,
      getTools: "use (await engine.session()).tools()",
      getService: "keep the service in a variable",
      getConfig: "keep the setting in a variable",
      setConfig: "keep the setting in a variable",
    },
  },
  find: (source) => (source.isImporting ? pulseUses(source) : []),
};

function pulseUses(source: UsingSource): FoundUse[] {
  return [
    ...source.objects.flatMap((node) => [
      ...writtenWith(["execute", "inputSchema"], node, { kind: "tool", ...judgedTool }),
      ...writtenWith(["initialize", "name"], node, { kind: "plugin", ...runs }),
    ]),
    ...source.calls.flatMap((call) => [...hooks(call), ...messageRuns(call)]),
    ...source.properties.flatMap(optionHooks),
    ...source.instances.flatMap((node) => options(node, source)),
  ];
}

const judgedTool = better("its input is checked, its time is limited, and every call is judged and recorded");

/** The hooks of Pulse's engine. Those that are never called here are told apart. */
export const pulseHookNames: Readonly<Record<string, "called" | "never">> = {
  ...instead(
    "called",
    `beforeRun afterRun beforeLLMCall afterLLMCall beforeToolCall afterToolCall onBeforeToolCall
     onAfterToolCall`,
  ),
  ...instead("never", "onToolCall onCompacted"),
};

function judgeHook(name: string): Judged {
  if (pulseHookNames[name] === "never")
    return change("it is never called here; follow (await engine.session()).events()");
  return name.endsWith("ToolCall")
    ? better("it also sees the calls of sub-agents, and one that throws stops its call")
    : runs;
}

function hooks(call: SourceNode): FoundUse[] {
  const name = calledMethod(call) === "registerHook" ? textOf(firstArgument(call)) : undefined;
  if (name === undefined) return [];
  const judged = Object.hasOwn(pulseHookNames, name) ? judgeHook(name) : change("there is no such hook");
  return [{ kind: "hook", name, node: call, ...judged }];
}

function optionHooks(property: SourceNode): FoundUse[] {
  const name = nameIn(property.key) ?? "";
  if (!Object.hasOwn(pulseHookNames, name)) return [];
  return [{ kind: "hook", name, node: property, ...judgeHook(name) }];
}

/** `engine.run(context)`, where a message is wanted. */
function messageRuns(call: SourceNode): FoundUse[] {
  const given = calledMethod(call) === "run" ? firstArgument(call) : undefined;
  if (given?.type !== "ObjectExpression" && nameIn(given) !== "context") return [];
  const judged = change("give it the user's message: the conversation stays with the engine");
  return [{ kind: "method", name: "run", node: call, ...judged }];
}

const otherOptions: Readonly<Record<string, string>> = {
  llmProvider: "give the model itself: model: provider(name)",
  disableBuiltInPlugins: service,
  userConfigPlugins: scanned,
  config: "keep the settings in variables",
  logger: "give it as toolwright: { logger }",
};

function options(node: SourceNode, { apiName }: UsingSource): FoundUse[] {
  if (apiName(node.callee) !== "Engine") return [];
  const given = firstArgument(node);
  const plugins = valueAt(given, "enginePlugins");
  return [...optionsIn(given, otherOptions), ...optionsIn(plugins, { dirs: scanned, scan: scanned })];
}
