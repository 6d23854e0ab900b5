import { openAgent, type SessionAgent, type SessionAgentOptions } from "./agent/open-agent.ts";
import type { TemplateCatalogue } from "./agent/sub-agents/templates/template-catalogue.ts";
import type { SessionParts } from "./create-environment.ts";
import type { McpLoader } from "./mcp/client/loader-source.ts";
import { openMcp, type RuntimeMcp } from "./mcp/client/open-mcp.ts";
import { moveTo, openPlaces, type Places } from "./open-places.ts";
import {
  type NamedSessionOptions,
  type OpenedSession,
  openSession,
  type Session,
  type SessionOptions,
} from "./open-session.ts";
import { createDialectView } from "./runtime/dialects/dialect-view.ts";
import { findDialect } from "./runtime/dialects/dialects.ts";
import { ruleNames } from "./runtime/dialects/rule-names.ts";
import type { Receipt } from "./runtime/events/receipt.ts";
import { type HookChain, type Hooks, joinHooks } from "./runtime/pipeline/hooks/hooks.ts";
import { protectedNames, sensitiveNames } from "./runtime/policy/paths/protected-names.ts";
import { moveRules } from "./runtime/policy/rules/move-rules.ts";
import { parseRules } from "./runtime/policy/rules/parse-rules.ts";
import { createRegistry } from "./runtime/registry/create-registry.ts";
import type { Registry } from "./runtime/registry/registry.ts";
import { createStaticSource } from "./runtime/registry/static-source.ts";
import type { ProvidedTool, SourceProblem } from "./runtime/registry/tool-source.ts";
import { describeSandbox } from "./runtime/sandbox/describe-sandbox.ts";
import type { Sandbox } from "./runtime/sandbox/sandbox.ts";
import type { SkillCatalogue } from "./runtime/services/skills/skill-catalogue.ts";
import type { ReceiptQuery, SessionRecord } from "./runtime/store/store.ts";
import { type ChainReport, verifyChain } from "./runtime/store/verify-chain.ts";
import { limitTools } from "./runtime/tool-search/limit-tools.ts";
import { createToolSearch } from "./runtime/tool-search/open-tools.ts";
import { createToolFilter, type ToolFilter } from "./runtime/tool-search/tool-filter.ts";
import { checkOptions, type RuntimeOptions } from "./runtime-options.ts";
import { newId } from "./shared/new-id.ts";
import { createRedactor } from "./shared/secrets/redact.ts";
import { silentLogger } from "./shared/silent-logger.ts";
import type { AnyTool } from "./tool/define-tool.ts";
import { builtinTools } from "./tools/index.ts";

export interface Runtime {
  readonly workspace: string;
  readonly tools: RuntimeTools;
  /** The MCP servers: how each of them is, and what of them waits to be approved. */
  readonly mcp: RuntimeMcp;
  /** Makes the session, or resumes the one with this id. */
  openSession(options?: SessionOptions): Promise<Session>;
  /** A model that works with the tools of a session. */
  agent(options: SessionAgentOptions): SessionAgent;
  sessions(): Promise<readonly SessionRecord[]>;
  /** Receipts of finished calls, newest first. */
  receipts(query?: ReceiptQuery): Promise<readonly Receipt[]>;
  /** Makes the chain of receipts again, of one session or of all, and tells where it does not hold. */
  verify(sessionId?: string): Promise<readonly ChainReport[]>;
  /** How shell commands are kept in bounds on this machine, or why they are not. */
  sandbox(): Promise<Pick<Sandbox, "kind" | "reason">>;
  /** Tools that could not be offered, and why. */
  problems(): readonly SourceProblem[];
  /** The skills of the workspace as they are now, and those that cannot be used. */
  readonly skills: Pick<SkillCatalogue, "list" | "problems">;
  /** The kinds of agents that may be sent off, as they are now, and those that cannot be used. */
  readonly agents: Pick<TemplateCatalogue, "list" | "problems">;
  close(): Promise<void>;
}

interface RuntimeTools extends Pick<Registry, "register" | "groups" | "explain" | "list" | "onChange"> {
  /** Adds the tools of an MCP client of one's own, named `mcp__<name>__<tool>`. */
  registerMCPLoader(name: string, loader: McpLoader): Promise<void>;
}

const defaultTimeoutMs = 60_000;

/** Joins the parts: registry, dialect, permissions, hooks, workspace and store become one runtime. */
export async function openRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  checkOptions(options);
  const dialect = findDialect(options.dialect ?? "flyto");
  const closers: (() => Promise<void>)[] = [];
  try {
    const places = await openPlaces(options);
    closers.push(places.close);
    const registry = createRegistry();
    closers.push(registry.close);
    const pluginHooks = await addSources(registry, options);
    const mcp = await openMcp(registry, places, options);
    closers.push(mcp.close);
    const view = createDialectView(dialect, registry);
    const names = ruleNames(dialect, { registry, nearest: view.nearest });
    const rules = await parseRules(options.permissions ?? {}, names);

    const limits = options.deferral ?? {};
    const sessions = new Map<string, Promise<OpenedSession>>();
    const openWith =
      (own: () => SessionParts): SessionParts["openChild"] =>
      (child, parent) =>
        shareSession(sessions, child, () => openSession(own(), child, parent));
    const parts: SessionParts = {
      ...places,
      options,
      dialect: dialect.name,
      view,
      limitTools: (allows: ToolFilter) => limitTools(allows, { registry, view, dialect, rules, limits }),
      rules,
      hooks: followHooks(options.hooks ?? {}, pluginHooks),
      redactor: createRedactor(options.secrets),
      defaultTimeoutMs: options.timeoutMs ?? defaultTimeoutMs,
      taskVariables: new Map<string, Promise<Map<string, unknown>>>(),
      toolSearch: createToolSearch({ registry, view, rules, limits, beforeSearch: mcp.beforeSearch }),
      sandbox: findSandbox(places, options),
      filterTools: (tools) => createToolFilter(tools, { where: "tools", names, registry }),
      inFolder: async (root, readable) => {
        const moved = await moveTo(places, root);
        const sandbox = findSandbox(moved, { ...options, workspace: root }, readable);
        const inside: SessionParts = {
          ...parts,
          ...moved,
          rules: moveRules(rules, places.workspace.root),
          sandbox,
          openChild: openWith(() => inside),
        };
        return inside;
      },
      openChild: openWith(() => parts),
    };
    if (options.sandbox === "required") await parts.sandbox();
    const { store } = places;
    let closing: Promise<void> | undefined;
    const open = async (given: SessionOptions = {}) => {
      if (closing !== undefined) throw new Error("the runtime is closed");
      // With an id from the beginning, so that closing waits for it.
      const known = { ...given, id: given.id ?? newId("session") };
      return shareSession(sessions, known, () => openSession(parts, known));
    };
    closers.push(() => closeSessions(sessions));

    return {
      workspace: places.workspace.root,
      tools: withLoaders(registry),
      mcp,
      openSession: open,
      agent: (agentOptions) => openAgent(agentOptions, { open, filterTools: parts.filterTools }),
      sessions: () => store.listSessions(),
      receipts: (query = {}) => store.readReceipts(query),
      async verify(sessionId) {
        const ids = sessionId === undefined ? await store.listChains() : [sessionId];
        return Promise.all(ids.map((id) => verifyChain(store, id)));
      },
      sandbox: parts.sandbox,
      problems: () => registry.problems(),
      skills: { list: places.skills.list, problems: places.skills.problems },
      agents: { list: places.templates.list, problems: places.templates.problems },
      close: () => {
        closing ??= closeInReverse(closers);
        return closing;
      },
    };
  } catch (error) {
    await closeInReverse(closers);
    throw error;
  }
}

/** Finds out once, when it is first needed, how commands can be kept in bounds here. */
function findSandbox(
  { workspace, stateFolder }: Pick<Places, "workspace" | "stateFolder">,
  options: RuntimeOptions,
  readable: readonly string[] = [],
): () => Promise<Sandbox> {
  let found: Promise<Sandbox> | undefined;
  const { sandbox: mode = "auto", logger = silentLogger } = options;
  const extraRoots = typeof options.workspace === "object" ? (options.workspace.extraRoots ?? []) : [];
  const find = async () => {
    const { openSandbox } = await import("./runtime/sandbox/open-sandbox.ts");
    const sandbox = await openSandbox({
      mode,
      roots: { root: workspace.root, extraRoots },
      readable,
      hidden: [stateFolder],
      protectedNames,
      sensitiveNames,
      userPath: process.env.PATH ?? "",
    });
    if (sandbox.kind === "none") logger.warn(describeSandbox(sandbox));
    return sandbox;
  };
  return () => {
    found ??= find();
    return found;
  };
}

/** Every source enters the registry here; which one wins a name is the registry's matter. */
async function addSources(registry: Registry, options: RuntimeOptions): Promise<() => readonly Hooks[]> {
  await registry.addSource(createStaticSource("built-in", "builtin", builtinTools.map(inItsGroup)));
  const { toolFolders = [], plugins = [], tools = [], logger = silentLogger } = options;
  if (toolFolders.length > 0) {
    const { createFolderSource } = await import("./runtime/registry/folders/folder-source.ts");
    for (const folder of toolFolders) await registry.addSource(createFolderSource(folder, { watch: true }));
  }
  let hooks: () => readonly Hooks[] = () => [];
  if (plugins.length > 0) {
    const { loadPlugins } = await import("./runtime/registry/plugins/load-plugins.ts");
    const loaded = await loadPlugins<Hooks>(plugins, { logger });
    for (const source of loaded.sources) await registry.addSource(source);
    hooks = loaded.hooks;
  }
  if (tools.length > 0) await registry.addSource(createStaticSource("options.tools", "inline", tools));
  return hooks;
}

function withLoaders(registry: Registry): RuntimeTools {
  const { register, groups, explain, list, onChange } = registry;
  return {
    register,
    groups,
    explain,
    list,
    onChange,
    async registerMCPLoader(name, loader) {
      const { createLoaderSource } = await import("./mcp/client/loader-source.ts");
      await registry.addSource(createLoaderSource(name, loader));
    },
  };
}

/** A built-in tool's name begins with its group, as its path does. */
function inItsGroup(tool: AnyTool): ProvidedTool {
  return { tool, group: tool.name.slice(0, tool.name.indexOf("_")) };
}

/** The chain of hooks, made again when a plugin has added some. The user's own come last and see the final say. */
function followHooks(own: Hooks, pluginHooks: () => readonly Hooks[]): () => HookChain {
  let groups: readonly Hooks[] = [];
  let chain = joinHooks([own]);
  return () => {
    const current = pluginHooks();
    if (current.length !== groups.length) {
      groups = current;
      chain = joinHooks([...groups, own]);
    }
    return chain;
  };
}

/** A session that is open already is given out again: two of the same id would not know of each other's variables. */
async function shareSession(
  sessions: Map<string, Promise<OpenedSession>>,
  options: NamedSessionOptions,
  open: () => Promise<OpenedSession>,
): Promise<OpenedSession> {
  const { id, ...others } = options;
  const shared = sessions.get(id);
  if (shared !== undefined) {
    const session = await shared;
    if (session.isOpen) {
      // Whoever asks for a stricter mode must not be given a looser one.
      if (Object.keys(others).length === 0) return session;
      throw new TypeError(`session ${id} is open already; close it before you open it with other options`);
    }
    await session.closed;
    return shareSession(sessions, options, open);
  }
  const opening = open();
  sessions.set(id, opening);
  opening.then(
    (session) => session.closed.then(() => sessions.delete(id)),
    () => sessions.delete(id),
  );
  return opening;
}

async function closeSessions(sessions: ReadonlyMap<string, Promise<Session>>): Promise<void> {
  const open = await Promise.allSettled(sessions.values());
  const closing = open.map((session) => session.status === "fulfilled" && session.value.close());
  // All have to be done before the store may go, whatever becomes of one of them.
  await Promise.allSettled(closing);
  await Promise.all(closing);
}

/** Closes everything, also after one of them failed to close; the first failure is told. */
async function closeInReverse(closers: (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const close of closers.splice(0).reverse()) {
    await close().catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}
