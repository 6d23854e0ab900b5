import { isNode, nameIn, type SourceNode } from "../../../capabilities/code/parse-source.ts";
import {
  calledMethod,
  dottedName,
  firstArgument,
  memberNames,
  ownName,
  parentsOf,
  textOf,
  valueAt,
} from "../source-view.ts";
import {
  better,
  change,
  type FoundUse,
  instead,
  type Move,
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
    ...source.classes.flatMap((node) => classTools(node, source)),
    ...source.objects.flatMap((node) =>
      source.isImporting ? writtenWith(toolMembers, node, judgedTool) : [],
    ),
    ...source.instances.flatMap((node) => agents(node, source)),
    ...source.properties.flatMap((property) => callbacks(property, source)),
    ...source.calls.flatMap((call) => variables(call)),
    ...source.texts.flatMap((text) => workflowMessages(text, source)),
  ],
};

const toolMembers = ["execute", "parameters"];
const judgedTool = {
  kind: "tool",
  ...better(
    "its arguments are checked, its time is limited even if it never returns, and every call is judged and recorded",
  ),
} as const;

function classTools(node: SourceNode, { apiName, isImporting }: UsingSource): FoundUse[] {
  const isTool =
    isImporting &&
    parentsOf(node).some((name) => ["Tool", "ToolExecuter"].includes(apiName(asName(name)) ?? ""));
  const found = isImporting ? writtenWith(isTool ? [] : toolMembers, node, judgedTool) : [];
  if (found.length > 0 || apiName(node.superClass) !== "Agent") return found;
  return writtenWith([], node, {
    kind: "agent",
    ...better("agents that work at the same time have separate contexts"),
  });
}

const asName = (name: string) => ({ type: "Identifier", name, start: 0, end: 0 });

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
  const judged = change("there are no such messages; agent_start comes first");
  return [{ kind: "event", name: type, node: text, ...judged }];
}
