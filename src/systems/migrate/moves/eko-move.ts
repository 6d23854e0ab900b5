import { isNode, nameIn, type SourceNode } from "../../../capabilities/code/source-node.ts";
import {
  calledMethod,
  dottedName,
  firstArgument,
  memberNames,
  ownName,
  parentsOf,
  valueAt,
} from "../source-values.ts";
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

const workflow =
  "leave it out: there are no workflows as XML, one agent plans and hands out the parts of a task";
const browser = "give browser tools to an Agent of your own: there are no built-in browser agents";
const builtins = "give an agent the tools it needs: files and commands are built in as tools of the runtime";
const mcp = "name the servers in toolwright: { mcpServers: … }";
const dialogue = "use an Eko, or an agent of toolwright/agent, which keeps its conversation";
const sdkType = "import it from @ai-sdk/provider";
const own = "write the few lines yourself: it is a helper of Eko's own code";
const llm = "give a model of the AI SDK, or { provider, model, apiKey }";

export const ekoMove: Move = {
  title: "Eko",
  entry: "toolwright/eko",
  packages: ["@eko-ai/eko", "@eko-ai/eko/types"],
  related: {
    "@eko-ai/eko-nodejs": builtins,
    "@eko-ai/eko-web": browser,
    "@eko-ai/eko-extension": browser,
  },
  words: String.raw`@eko-ai/eko|\bagentContext\b|\bAgentContext\b`,
  glob: sourceGlob,
  missing: {
    EkoDialogue: dialogue,
    EkoMemory: dialogue,
    EkoDialogueConfig: dialogue,
    DialogueTool: dialogue,
    DialogueParams: dialogue,
    DialogueCallback: dialogue,
    ChatStreamCallbackMessage: dialogue,
    EkoMessage: dialogue,
    EkoMessageUserPart: dialogue,
    EkoMessageAssistantPart: dialogue,
    EkoMessageToolPart: dialogue,
    Log: "give a logger as toolwright: { logger }",
    config: "give limits in toolwright: { … }, such as timeoutMs and output",
    Context: "use AgentContext, whose `context` it is",
    Planner: workflow,
    Chain: workflow,
    AgentChain: workflow,
    Workflow: workflow,
    WorkflowAgent: workflow,
    WorkflowNode: workflow,
    WorkflowTextNode: workflow,
    WorkflowForEachNode: workflow,
    WorkflowWatchNode: workflow,
    NormalAgentNode: workflow,
    ParallelAgentNode: workflow,
    AgentNode: workflow,
    parseWorkflow: workflow,
    resetWorkflowXml: workflow,
    buildSimpleAgentWorkflow: workflow,
    buildAgentTree: workflow,
    SimpleSseMcpClient: mcp,
    SimpleHttpMcpClient: mcp,
    IMcpClient: mcp,
    McpListToolParam: mcp,
    McpCallToolParam: mcp,
    McpListToolResult: mcp,
    RetryLanguageModel: "leave it out: faults of a model are retried",
    BaseFileAgent: builtins,
    BaseShellAgent: builtins,
    BaseComputerAgent: browser,
    BaseBrowserAgent: browser,
    BaseBrowserLabelsAgent: browser,
    BaseBrowserScreenAgent: browser,
    extract_page_content: browser,
    TaskNodeStatusTool: workflow,
    ForeachTaskTool: workflow,
    WatchTriggerTool: workflow,
    HumanCallback: "use StreamCallback, which has the same methods",
    LLMs: llm,
    LLMConfig: llm,
    LLMprovider: llm,
    LLMRequest: llm,
    GenerateResult: llm,
    StreamResult: llm,
    ToolSchema: "use Tool",
    ToolExecuter: "use Tool",
    mergeTools: own,
    toImage: own,
    toFile: own,
    compressImageData: own,
    convertToolSchema: own,
    uuidv4: "use crypto.randomUUID()",
    call_timeout: "use AbortSignal.timeout()",
    JSONSchema7: sdkType,
    LanguageModelV2Prompt: sdkType,
    LanguageModelV2TextPart: sdkType,
    LanguageModelV2FilePart: sdkType,
    LanguageModelV2StreamPart: sdkType,
    LanguageModelV2ToolChoice: sdkType,
    LanguageModelV2FunctionTool: sdkType,
    LanguageModelV2ToolResultPart: sdkType,
    LanguageModelV2ToolResultOutput: sdkType,
  },
  // Eko's own tools run here as they are.
  kept: ["HumanInteractTool", "VariableStorageTool"],
  missingMethods: {
    Eko: {
      generate: workflow,
      modify: workflow,
      execute: "use eko.run(prompt, taskId)",
      initContext: workflow,
      getTask: "keep the taskId: eko.run() resolves with the result",
      getAllTaskId: "keep the taskIds yourself",
      deleteTask: "leave it out: a finished task keeps nothing in memory",
      pauseTask: "use eko.abortTask(taskId)",
      chatTask: "call eko.run() again",
      addAgent: "give all agents to new Eko({ agents })",
    },
  },
  find: (source) => [
    ...source.classes.flatMap((node) => classTools(node, source)),
    ...source.objects.flatMap((node) => objectTools(node, source)),
    ...source.instances.flatMap((node) => agents(node, source)),
    ...source.properties.flatMap((property) => callbacks(property, source)),
    ...source.calls.flatMap((call) => variables(call)),
    ...source.texts.flatMap((text) => workflowMessages(text, source)),
  ],
};

const judgedTool = better(
  "its arguments are checked, its time is limited even if it never returns, and every call is judged and recorded",
);

function classTools(node: SourceNode, { apiName, isImporting }: UsingSource): FoundUse[] {
  const isTool =
    isImporting &&
    parentsOf(node).some((name) => ["Tool", "ToolExecuter"].includes(apiName(asName(name)) ?? ""));
  const keys = memberNames(node);
  const isShaped = isImporting && keys.includes("execute") && keys.includes("parameters");
  const name = ownName(node) ?? nameIn(node.id) ?? unnamed;
  if (isTool || isShaped) return [{ kind: "tool", name, node, ...judgedTool }];
  return apiName(node.superClass) === "Agent"
    ? [
        {
          kind: "agent",
          name,
          node,
          ...better("agents that work at the same time have contexts of their own"),
        },
      ]
    : [];
}

const asName = (name: string) => ({ type: "Identifier", name, start: 0, end: 0 });

function objectTools(node: SourceNode, { isImporting }: UsingSource): FoundUse[] {
  const keys = memberNames(node);
  if (!isImporting || !keys.includes("execute") || !keys.includes("parameters")) return [];
  return [{ kind: "tool", name: ownName(node) ?? unnamed, node, ...judgedTool }];
}

function agents(node: SourceNode, { apiName }: UsingSource): FoundUse[] {
  const name = apiName(node.callee);
  const given = firstArgument(node);
  if (name === "Agent") return [{ kind: "agent", name: ownName(given ?? node) ?? unnamed, node, ...runs }];
  if (name !== "Eko" && name !== "default") return [];
  const others = memberNames(given).filter((key) =>
    ["planLlms", "compressLlms", "defaultMcpClient", "a2aClient"].includes(key),
  );
  return others.map((key) => ({
    kind: "option",
    name: key,
    node: valueAt(given, key) ?? node,
    ...change("leave it out"),
  }));
}

function callbacks(property: SourceNode, { isImporting }: UsingSource): FoundUse[] {
  const name = nameIn(property.key) ?? "";
  if (!isImporting || !/^(?:onMessage|onHuman(?:Confirm|Input|Select|Help))$/.test(name)) return [];
  return [{ kind: "event", name, node: property, ...runs }];
}

/** `agentContext.variables.set("x", new Map())`: variables outlive the process, so they are JSON. */
function variables(call: SourceNode): FoundUse[] {
  if (calledMethod(call) !== "set" || !dottedName(call.callee)?.endsWith("variables.set")) return [];
  const [key, value] = Array.isArray(call.arguments) ? call.arguments : [];
  const isJson =
    !isNode(value) ||
    !["NewExpression", "ArrowFunctionExpression", "FunctionExpression"].includes(value.type);
  const judged = isJson
    ? better("it is there again after a restart")
    : change("a variable must be a JSON value: keep an array or a plain object");
  return [{ kind: "option", name: `variable ${textOf(key) ?? ""}`.trim(), node: call, ...judged }];
}

/** `message.type === "workflow"` */
function workflowMessages(text: SourceNode, { isImporting }: UsingSource): FoundUse[] {
  const type = textOf(text);
  if (!isImporting || (type !== "workflow" && type !== "workflow_confirm")) return [];
  return [
    {
      kind: "event",
      name: type,
      node: text,
      ...change("there are no such messages; agent_start comes first"),
    },
  ];
}
