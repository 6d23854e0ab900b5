import { nameIn, type SourceNode } from "../../../capabilities/code/source-node.ts";
import { calledMethod, firstArgument, memberNames, ownName, valueAt } from "../source-values.ts";
import { textOf } from "../source-view.ts";
import {
  better,
  change,
  type FoundUse,
  type Move,
  runs,
  sourceGlob,
  type UsingSource,
  unnamed,
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
    PulseAgent: "use Engine",
    PluginManager: "give plugins to new Engine({ enginePlugins: { plugins } })",
    UserConfigPlugin: scanned,
    UserConfigPluginLoadOptions: scanned,
    EnginePluginLoadOptions: scanned,
    builtInPlugins: service,
    builtInMCPPlugin: "name the servers in toolwright: { mcpServers: … }",
    builtInSkillsPlugin: "leave it out: skills are built in",
    builtInPlanModePlugin: planMode,
    builtInTaskTrackingPlugin: tasks,
    builtInAgentTeamsPlugin: "leave it out: agents are spawned with the built-in tool",
    BuiltInSkillRegistry: "leave it out: skills are built in",
    BuiltInPlanModeService: planMode,
    PlanMode: planMode,
    PlanModeService: planMode,
    TaskListService: tasks,
    WorkTask: tasks,
    TaskStatus: tasks,
    loop: ownLoop,
    LoopOptions: ownLoop,
    LoopHooks: ownLoop,
    streamTextAI: ownLoop,
    CompactionEvent: service,
    maybeCompactContext: "leave it out: old outputs are removed before the context is full",
    BuiltinTools: builtinTool,
    BuiltinToolsMap: builtinTool,
    truncateOutput: "leave it out: every output is cut, and the whole of it kept",
    readTool: builtinTool,
    ReadTool: builtinTool,
    WriteTool: builtinTool,
    EditTool: builtinTool,
    GrepTool: builtinTool,
    LsTool: builtinTool,
    BashTool: builtinTool,
    TavilyTool: builtinTool,
    ClarifyTool: builtinTool,
    RunContext: "give run() a message: the conversation stays with the engine",
    LLMProviderFactory: "give a model of the AI SDK as `model`",
    ILogger: "give a logger as toolwright: { logger }",
    EngineHookMap: "use EngineHooks",
    EngineHookName: "use keyof EngineHooks",
    OnCompactedEvent: service,
    OnCompactedInput: service,
  },
  missingMethods: {
    Engine: {
      compactContext: "leave it out: old outputs are removed before the context is full",
      getPluginStatus: "leave it out: a plugin that fails is reported when the engine is initialised",
      getMode: planMode,
      setMode: planMode,
      getTools: "use (await engine.session()).tools()",
      getService: "keep the service in a variable of your own",
      getConfig: "keep the setting in a variable of your own",
      setConfig: "keep the setting in a variable of your own",
    },
  },
  find: (source) => [
    ...source.objects.flatMap((node) => [...tools(node, source), ...plugins(node, source)]),
    ...source.calls.flatMap((call) => [...hooks(call, source), ...messageRuns(call, source)]),
    ...source.properties.flatMap((property) => optionHooks(property, source)),
    ...source.instances.flatMap((node) => options(node, source)),
  ],
};

function tools(node: SourceNode, { isImporting }: UsingSource): FoundUse[] {
  const keys = memberNames(node);
  if (!isImporting || !keys.includes("execute") || !keys.includes("inputSchema")) return [];
  const judged = better("its input is checked, its time is limited, and every call is judged and recorded");
  return [{ kind: "tool", name: ownName(node) ?? unnamed, node, ...judged }];
}

function plugins(node: SourceNode, { isImporting }: UsingSource): FoundUse[] {
  const keys = memberNames(node);
  if (!isImporting || !keys.includes("initialize") || !keys.includes("name")) return [];
  return [{ kind: "plugin", name: ownName(node) ?? unnamed, node, ...runs }];
}

/** The hooks of Pulse's engine. Those that are never called here are told apart. */
export const pulseHookNames: Readonly<Record<string, "called" | "never">> = {
  beforeRun: "called",
  afterRun: "called",
  beforeLLMCall: "called",
  afterLLMCall: "called",
  beforeToolCall: "called",
  afterToolCall: "called",
  onBeforeToolCall: "called",
  onAfterToolCall: "called",
  onToolCall: "never",
  onCompacted: "never",
};

function judgeHook(name: string): Pick<FoundUse, "verdict" | "advice"> {
  if (pulseHookNames[name] === "never")
    return change("it is never called here; follow (await engine.session()).events()");
  return name.endsWith("ToolCall")
    ? better("it also sees the calls of sub-agents, and one that throws stops its call")
    : runs;
}

function hooks(call: SourceNode, { isImporting }: UsingSource): FoundUse[] {
  const name = calledMethod(call) === "registerHook" ? textOf(firstArgument(call)) : undefined;
  if (!isImporting || name === undefined) return [];
  const judged = Object.hasOwn(pulseHookNames, name) ? judgeHook(name) : change("there is no such hook");
  return [{ kind: "hook", name, node: call, ...judged }];
}

function optionHooks(property: SourceNode, { isImporting }: UsingSource): FoundUse[] {
  const name = nameIn(property.key) ?? "";
  if (!isImporting || !Object.hasOwn(pulseHookNames, name)) return [];
  return [{ kind: "hook", name, node: property, ...judgeHook(name) }];
}

/** `engine.run(context)`, where a message is wanted. */
function messageRuns(call: SourceNode, { isImporting }: UsingSource): FoundUse[] {
  const given = firstArgument(call);
  if (!isImporting || calledMethod(call) !== "run" || given === undefined) return [];
  const isContext = given.type === "ObjectExpression" || nameIn(given) === "context";
  if (!isContext) return [];
  return [
    {
      kind: "method",
      name: "run",
      node: call,
      ...change("give it the user's message: the conversation stays with the engine"),
    },
  ];
}

const otherOptions: Readonly<Record<string, string>> = {
  llmProvider: "give the model itself: model: provider(name)",
  disableBuiltInPlugins: service,
  userConfigPlugins: scanned,
  config: "keep the settings in variables of your own",
  logger: "give it as toolwright: { logger }",
};

function options(node: SourceNode, { apiName }: UsingSource): FoundUse[] {
  if (apiName(node.callee) !== "Engine") return [];
  const given = firstArgument(node);
  const plugins = valueAt(given, "enginePlugins");
  const scan = memberNames(plugins).filter((key) => key === "dirs" || key === "scan");
  return [
    ...memberNames(given).flatMap((key): FoundUse[] =>
      Object.hasOwn(otherOptions, key)
        ? [
            {
              kind: "option",
              name: key,
              node: valueAt(given, key) ?? node,
              ...change(otherOptions[key] ?? ""),
            },
          ]
        : [],
    ),
    ...scan.map(
      (key): FoundUse => ({
        kind: "option",
        name: key,
        node: valueAt(plugins, key) ?? node,
        ...change(scanned),
      }),
    ),
  ];
}
