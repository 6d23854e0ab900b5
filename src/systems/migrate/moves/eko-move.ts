import { isNode, nameIn, type SourceNode } from "../../../capabilities/code/parse-source.ts";
import { calledMethod, dottedName, firstArgument, ownName, parentsOf, textOf } from "../source-view.ts";
import {
  better,
  change,
  type FoundUse,
  instead,
  type Move,
  optionsIn,
  runs,
  sourceGlob,
  type UsingSource,
  unnamed,
  writtenWith,
} from "./move.ts";

const workflow =
  "leave it out: there are no workflows as XML, one agent plans and hands out the parts of a task";
const browser = "give browser tools to one of your Agents: there are no built-in browser agents";
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
    ...instead(
      dialogue,
      `EkoDialogue EkoMemory EkoDialogueConfig DialogueTool DialogueParams DialogueCallback
       ChatStreamCallbackMessage EkoMessage EkoMessageUserPart EkoMessageAssistantPart
       EkoMessageToolPart`,
    ),
    ...instead(
      workflow,
      `Planner Chain AgentChain Workflow WorkflowAgent WorkflowNode WorkflowTextNode
       WorkflowForEachNode WorkflowWatchNode NormalAgentNode ParallelAgentNode AgentNode parseWorkflow
       resetWorkflowXml buildSimpleAgentWorkflow buildAgentTree TaskNodeStatusTool ForeachTaskTool
       WatchTriggerTool`,
    ),
    ...instead(
      mcp,
      `SimpleSseMcpClient SimpleHttpMcpClient IMcpClient McpListToolParam McpCallToolParam
       McpListToolResult`,
    ),
    ...instead(builtins, "BaseFileAgent BaseShellAgent"),
    ...instead(
      browser,
      `BaseComputerAgent BaseBrowserAgent BaseBrowserLabelsAgent BaseBrowserScreenAgent
       extract_page_content`,
    ),
    ...instead(llm, "LLMs LLMConfig LLMprovider LLMRequest GenerateResult StreamResult"),
    ...instead("use Tool", "ToolSchema ToolExecuter"),
    ...instead(own, "mergeTools toImage toFile compressImageData convertToolSchema"),
    ...instead(
      sdkType,
      `JSONSchema7 LanguageModelV2Prompt LanguageModelV2TextPart LanguageModelV2FilePart
       LanguageModelV2StreamPart LanguageModelV2ToolChoice LanguageModelV2FunctionTool
       LanguageModelV2ToolResultPart LanguageModelV2ToolResultOutput`,
    ),
    Log: "give a logger as toolwright: { logger }",
    config: "give limits in toolwright: { … }, such as timeoutMs and output",
    Context: "use AgentContext, whose `context` it is",
    RetryLanguageModel: "leave it out: faults of a model are retried",
    HumanCallback: "use StreamCallback, which has the same methods",
    uuidv4: "use crypto.randomUUID()",
    call_timeout: "use AbortSignal.timeout()",
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
    ...(source.isImporting ? ekoUses(source) : []),
    ...source.calls.flatMap((call) => variables(call)),
  ],
};

function ekoUses(source: UsingSource): FoundUse[] {
  return [
    ...source.classes.flatMap((node) => classUses(node, source)),
    ...source.objects.flatMap((node) => writtenWith(toolMembers, node, judgedTool)),
    ...source.instances.flatMap((node) => instanceUses(node, source)),
    ...source.properties.flatMap(callbacks),
    ...source.texts.flatMap(workflowMessages),
  ];
}

const toolMembers = ["execute", "parameters"];
const judgedTool = {
  kind: "tool",
  ...better(
    "its arguments are checked, its time is limited even if it never returns, and every call is judged and recorded",
  ),
} as const;

function classUses(node: SourceNode, { apiName }: UsingSource): FoundUse[] {
  const isTool = parentsOf(node).some((name) =>
    ["Tool", "ToolExecuter"].includes(apiName(asIdentifier(name)) ?? ""),
  );
  const found = writtenWith(isTool ? [] : toolMembers, node, judgedTool);
  if (found.length > 0 || apiName(node.superClass) !== "Agent") return found;
  const judged = better("agents that work at the same time have separate contexts");
  return writtenWith([], node, { kind: "agent", ...judged });
}

const asIdentifier = (name: string) => ({ type: "Identifier", name, start: 0, end: 0 });

function instanceUses(node: SourceNode, { apiName }: UsingSource): FoundUse[] {
  const name = apiName(node.callee);
  const given = firstArgument(node);
  if (name === "Agent") return [{ kind: "agent", name: ownName(given ?? node) ?? unnamed, node, ...runs }];
  return name === "Eko" || name === "default" ? optionsIn(given, otherOptions) : [];
}

const otherOptions = instead("leave it out", "planLlms compressLlms defaultMcpClient a2aClient");

function callbacks(property: SourceNode): FoundUse[] {
  const name = nameIn(property.key) ?? "";
  if (!/^(?:onMessage|onHuman(?:Confirm|Input|Select|Help))$/.test(name)) return [];
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
function workflowMessages(text: SourceNode): FoundUse[] {
  const name = textOf(text);
  if (name !== "workflow" && name !== "workflow_confirm") return [];
  return [
    { kind: "event", name, node: text, ...change("there are no such messages; agent_start comes first") },
  ];
}
