import { isNode, nameIn, nodesIn, type SourceNode } from "../../../capabilities/code/parse-source.ts";
import {
  calledMethod,
  firstArgument,
  memberNames,
  ownName,
  parentsOf,
  textOf,
  valueAt,
  withoutType,
} from "../source-view.ts";
import {
  better,
  change,
  type FoundUse,
  instead,
  type Judged,
  type Move,
  runs,
  sourceGlob,
  type UsingSource,
  unnamed,
  writtenWith,
} from "./move.ts";

const store = 'leave it out, or say where records are kept with toolwright: { store: "sqlite:<path>" }';
const sandbox =
  "leave it out: the workspace is sandbox.workDir, and commands run in the sandbox of the machine";
const model = 'give a model of the AI SDK, or a name such as "anthropic/claude-sonnet-4-5"';
const events = "listen with agent.on(type, …) or agent.subscribe(channels)";
const skills = "leave it out: skills are found in .skills, and the model loads them with the tool `skills`";
const ownPart = "leave it out: the runtime does this itself";
const mcp =
  "name the servers in toolwright: { mcpServers: … }, or register a loader with registerMCPLoader()";
const zod = "write the schema with Zod, or as params";

export const kodeMove: Move = {
  title: "KODE",
  entry: "toolwright/kode",
  packages: ["@shareai-lab/kode-sdk"],
  words: String.raw`@shareai-lab/kode-sdk|\bkode-sdk\b|\b(?:pre|post)(?:ToolUse|Model)\b|\bmessagesChanged\b|\binput_schema\b|\btoDescriptor\b`,
  glob: sourceGlob,
  missing: {
    ...instead(
      store,
      `JSONStore Store SqliteStore PostgresStore createStore createExtendedStore Checkpointer
       Checkpoint CheckpointMetadata AgentState MemoryCheckpointer FileCheckpointer RedisCheckpointer`,
    ),
    ...instead(sandbox, "LocalSandbox SandboxFactory SandboxKind E2BSandbox OpenSandbox"),
    ...instead(
      model,
      `ModelProvider ModelConfig ModelStreamChunk AnthropicProvider AnthropicProviderOptions
       OpenAIProvider GeminiProvider OpenRouterProvider OpenRouterProviderOptions createModelProvider`,
    ),
    ...instead("call agent.send() when it is time", "Scheduler AgentSchedulerHandle TimeBridge"),
    ...instead(
      ownPart,
      `ContextManager TodoConfig BreakpointManager PermissionManager MessageQueue ToolRunner`,
    ),
    ...instead("read and write todos with the tools todo_read and todo_write", "TodoService TodoManager"),
    ...instead("read todos from the result of todo_read", "TodoItem TodoSnapshot"),
    ...instead(
      skills,
      `SkillsManager SkillsManagementManager SkillMetadata SkillContent createSkillsTool
       createScriptsTool`,
    ),
    ...instead(
      "write the decisions of the mode as rules in toolwright: { permissions: { allow, ask, deny } }",
      `permissionModes PermissionModeRegistry PermissionModeHandler`,
    ),
    ...instead("use a preToolUse hook", "PermissionEvaluationContext PermissionDecision"),
    ...instead('look at error.code, such as "AGENT_NOT_FOUND"', "ResumeError ResumeErrorCode"),
    ...instead(mcp, "getMCPTools disconnectMCP disconnectAllMCP MCPConfig MCPTransportType"),
    ...instead(zod, "inferFromExample schema patterns SchemaBuilder mergeSchemas extendSchema"),
    AgentPool: "keep agents in a Map; Agent.resume(id, config) opens one again",
    Room: "hand messages from one agent to another with agent.send()",
    EventBus: events,
    HookManager: "give the hooks as overrides.hooks, or in the template",
    SubAgentConfig: "write it as runtime.subagents of a template",
    createTaskRunTool: "leave it out: task_run is built in, with the templates of runtime.subagents",
    AgentTemplate: "use AgentTemplateDefinition",
    globalToolRegistry: "make a ToolRegistry and register your tools in it",
    generateAgentId: "leave agentId out, and read it from agent.agentId",
    StreamOptions: "use SubscribeOptions",
    SendOptions: "leave it out: send() takes a message alone",
  },
  missingMethods: {
    Agent: {
      resumeFromStore: "use Agent.resume(id, config), which takes the config again",
      resumeOrCreate: "use Agent.create({ agentId, … }), which goes on with an agent that exists",
      snapshot: "leave it out: the log of the session is the record, and every change can be undone",
      fork: "open an agent with another agentId",
      schedule: "call agent.send() when it is time",
      delegateTask: "let the model call task_run",
      getTodos: 'call agent.session.call("todo_read")',
      setTodos: 'call agent.session.call("todo_write", { todos })',
      updateTodo: 'call agent.session.call("todo_write", { todos })',
      deleteTodo: 'call agent.session.call("todo_write", { todos })',
      remind: "call agent.send()",
      info: "use agent.status()",
    },
  },
  find: (source) => [
    ...source.calls.flatMap((call) => [...definedTools(call, source), ...listenedEvents(call, source)]),
    ...source.classes.flatMap((node) => classTools(node, source)),
    ...source.objects.flatMap((node) => objectTools(node)),
    ...source.instances.flatMap((node) => builtinTools(node, source)),
    ...source.properties.flatMap((property) => [...hooks(property), ...permissions(property, source)]),
  ],
};

function definedTools(call: SourceNode, { apiName }: UsingSource): FoundUse[] {
  const name = apiName(call.callee);
  const given = firstArgument(call);
  if (name === "defineTools" || name === "tools") {
    const items = given?.type === "ArrayExpression" ? nodesIn(given.elements) : [];
    return items.flatMap((item) => toolFrom(withoutType(item)) ?? []);
  }
  if (name !== "defineTool" && name !== "tool") return [];
  const named = textOf(given);
  if (named !== undefined) return [{ kind: "tool", name: named, node: call, ...checkedToo }];
  // A decorator's settings have no name: that is the method's.
  if (given?.type === "ObjectExpression" && !memberNames(given).includes("name")) return [];
  return [toolFrom(given) ?? { kind: "tool", name: unnamed, node: call, ...runs }];
}

const checkedToo = better("its arguments are checked, its time is limited, and every call is recorded");

function toolFrom(given: SourceNode | undefined): FoundUse | undefined {
  if (given?.type !== "ObjectExpression") return undefined;
  const params = valueAt(given, "params");
  const hasDefault = nodesIn(params?.properties).some(
    ({ value }) => isNode(value) && memberNames(value).includes("default"),
  );
  const attributes = valueAt(given, "attributes") ?? valueAt(given, "metadata");
  const advice = [
    ...(hasDefault ? ["a default is applied, and its parameter may be left out"] : []),
    ...(attributes === undefined ? [] : ["its declared effects decide which calls need approval"]),
  ];
  const judged = advice.length === 0 ? runs : better(advice.join("; "));
  return { kind: "tool", name: ownName(given) ?? unnamed, node: given, ...judged };
}

function classTools(node: SourceNode, { apiName }: UsingSource): FoundUse[] {
  const methods = isNode(node.body) ? nodesIn(node.body.body) : [];
  const decorated = methods.flatMap((method): FoundUse[] => {
    const isTool = nodesIn(method.decorators).some(({ expression }) => {
      const name = apiName(
        isNode(expression) && expression.type === "CallExpression" ? expression.callee : expression,
      );
      return name === "tool" || name === "toolMethod";
    });
    return isTool ? [{ kind: "tool", name: nameIn(method.key) ?? unnamed, node: method, ...checkedToo }] : [];
  });
  const isInstance = parentsOf(node).some((name) => name.endsWith("ToolInstance"));
  return [...decorated, ...writtenWith(isInstance ? [] : instanceMembers, node, instanceUse)];
}

const instanceMembers = ["exec", "input_schema"];
const instanceUse = {
  kind: "tool",
  ...better("it ends at its deadline even if it ignores its signal"),
} as const;

function objectTools(node: SourceNode): FoundUse[] {
  // An object that `defineTool` is given was found with its call.
  return memberNames(node).includes("params") ? [] : writtenWith(instanceMembers, node, instanceUse);
}

/** `new FsRead()`; whether the entry point has the class is checked for every name. */
function builtinTools(node: SourceNode, { apiName }: UsingSource): FoundUse[] {
  const name = apiName(node.callee);
  if (name === undefined || !/^(?:Fs|Bash|Todo)[A-Z]/.test(name)) return [];
  return [{ kind: "tool", name, node, ...runs }];
}

const hookVerdicts: ReadonlyMap<string, Judged> = new Map([
  ["preToolUse", better("it sees every call in KODE's names, also those of sub-agents")],
  ["postToolUse", better("it sees every result, also those of sub-agents")],
  ["preModel", better("it sees every request, also those of sub-agents; its changes are sent, and not kept")],
  ["postModel", better("it sees every answer, also those of sub-agents")],
  ["messagesChanged", runs],
]);

function hooks(property: SourceNode): FoundUse[] {
  const name = nameIn(property.key) ?? "";
  const verdict = property.computed === true ? undefined : hookVerdicts.get(name);
  return verdict === undefined ? [] : [{ kind: "hook", name, node: property, ...verdict }];
}

const modes = ["auto", "approval", "readonly"];
const permissionKeys = ["mode", "requireApprovalTools", "allowTools", "denyTools"];

function permissions(property: SourceNode, { isImporting }: UsingSource): FoundUse[] {
  const value = withoutType(property.value);
  if (!isImporting || nameIn(property.key) !== "permission" || value?.type !== "ObjectExpression") return [];
  const mode = textOf(valueAt(value, "mode"));
  const unknown = memberNames(value).filter((key) => !permissionKeys.includes(key));
  return [{ kind: "permission", name: mode ?? "rules", node: property, ...judgePermission(mode, unknown) }];
}

function judgePermission(mode: string | undefined, unknown: readonly string[]): Judged {
  if (mode !== undefined && !modes.includes(mode))
    return change(
      `there is no mode ${JSON.stringify(mode)}: choose one of ${modes.join(", ")}, and write the rest as rules in toolwright: { permissions }`,
    );
  return unknown.length > 0
    ? change(`${unknown.join(", ")} is not known here: write it as rules in toolwright: { permissions }`)
    : better("rules hold for every name of a tool, for sub-agents and for what commands do");
}

/** Events of KODE's agents. Those that are never sent here are told apart. */
export const kodeEventTypes: Readonly<Record<string, "sent" | "never">> = {
  ...instead(
    "sent",
    `permission_required permission_decided state_changed step_complete error token_usage tool_executed
     agent_resumed todo_changed todo_reminder file_changed reminder_sent context_compression tool_custom_event`,
  ),
  ...instead(
    "never",
    `scheduler_triggered breakpoint_changed tool_manual_updated skills_metadata_updated storage_failure`,
  ),
};

function listenedEvents(call: SourceNode, { isImporting }: UsingSource): FoundUse[] {
  const method = calledMethod(call);
  const given = firstArgument(call);
  if (!isImporting) return [];
  if (method === "subscribe" && given?.type === "ArrayExpression")
    return [
      { kind: "event", name: "subscribe", node: call, ...better("no event is told twice or out of order") },
    ];
  const type = method === "on" ? textOf(given) : undefined;
  if (type === undefined || !Object.hasOwn(kodeEventTypes, type)) return [];
  const judged =
    kodeEventTypes[type] === "sent" ? runs : change("it is never sent here; remove the listener");
  return [{ kind: "event", name: type, node: call, ...judged }];
}
