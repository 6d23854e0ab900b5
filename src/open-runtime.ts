import { setMaxListeners } from "node:events";
import { openAgent, type SessionAgent, type SessionAgentOptions } from "./capabilities/agents/open-agent.ts";
import type { AgentTemplate } from "./capabilities/agents/sub-agents/templates/agent-template.ts";
import { createTemplateCatalogue } from "./capabilities/agents/sub-agents/templates/template-catalogue.ts";
import { createDatabaseAccess } from "./capabilities/databases/database-access.ts";
import type { DefinitionList } from "./capabilities/definitions/definitions.ts";
import { createFindEvidence } from "./capabilities/files/intents/find-evidence.ts";
import { createIsolatedTools } from "./capabilities/isolated/isolated-tools.ts";
import { isLoadingIsolated } from "./capabilities/isolated/loading-isolated.ts";
import type { MadeTools } from "./capabilities/made/made-tools.ts";
import { openMadeToolsIfAny } from "./capabilities/made/open-if-any.ts";
import type { McpLoader } from "./capabilities/mcp-client/loader-source.ts";
import { openMcp } from "./capabilities/mcp-client/open-mcp.ts";
import type { RuntimeMcp } from "./capabilities/mcp-client/open-mcp-client.ts";
import { shareSupplies } from "./capabilities/processes/command/shared-supplies.ts";
import { endLostRuns } from "./capabilities/processes/end-lost-runs.ts";
import { createSkillCatalogue } from "./capabilities/skills/skill-catalogue.ts";
import { createWebAccess } from "./capabilities/web/web-access.ts";
import { keptKinds } from "./capabilities.ts";
import { commandHooks } from "./kernel/call/hooks/commands/command-hooks.ts";
import { followHooks } from "./kernel/call/hooks/hooks.ts";
import { keepUndoRecord, readUndoRecord } from "./kernel/call/undo/undo-store.ts";
import { createDialectView, type DialectView } from "./kernel/dialects/dialect-view.ts";
import { findImpersonated } from "./kernel/dialects/impersonated.ts";
import { ruleNames } from "./kernel/dialects/rule-names.ts";
import { takenNamesOf } from "./kernel/dialects/taken-names.ts";
import type { Receipt } from "./kernel/events/receipt.ts";
import {
  openWaitingList,
  type RuntimeApprovals,
  waitingServers,
  waitingTools,
} from "./kernel/people/waiting-list.ts";
import { homeNames, protectedNames, sensitiveNames } from "./kernel/policy/paths/protected-names.ts";
import type { RuleNames } from "./kernel/policy/rules/parse-rules.ts";
import { keepOwnRules } from "./kernel/policy/scopes/keep-own-rules.ts";
import { movePolicy } from "./kernel/policy/scopes/move-policy.ts";
import {
  ownProjectFile,
  type PolicyPlaces,
  policyFolder,
  policyPlaces,
} from "./kernel/policy/scopes/policy-places.ts";
import { openPolicyScopes } from "./kernel/policy/scopes/policy-scopes.ts";
import { createRegistry } from "./kernel/registry/create-registry.ts";
import type { Registry, ToolList } from "./kernel/registry/registry.ts";
import type { SourceProblem } from "./kernel/registry/tool-source.ts";
import { addSources, silentLogger } from "./kernel/runtime/add-sources.ts";
import { openDialects, runtimeDialect } from "./kernel/runtime/open-dialects.ts";
import { collectGently } from "./kernel/runtime/places/collect-garbage.ts";
import { findNetworkState, type NetworkState } from "./kernel/runtime/places/network-folder.ts";
import { moveTo, openPlaces, type Places } from "./kernel/runtime/places/open-places.ts";
import { whyUnsupported } from "./kernel/runtime/places/supported-engine.ts";
import {
  openRemoteSession,
  type RemoteParts,
  type RemoteSession,
  waitingCalls,
} from "./kernel/runtime/remote/remote-session.ts";
import { waitingQuestions } from "./kernel/runtime/remote/waiting-questions.ts";
import { type RuntimeHealth, readHealth } from "./kernel/runtime/runtime-health.ts";
import { checkOptions, type RuntimeOptions } from "./kernel/runtime/runtime-options.ts";
import { openSession, type SessionParts } from "./kernel/runtime/session/open-session.ts";
import {
  type OpenedSession,
  type Session,
  type SessionOptions,
  sessionKeys,
} from "./kernel/runtime/session.ts";
import { createInboxes } from "./kernel/session/inbox/serve-inboxes.ts";
import { createMetricsRecorder, type RuntimeMetrics } from "./kernel/session/runtime-metrics.ts";
import { createSharedSessions } from "./kernel/session/shared-sessions.ts";
import { trackReads } from "./kernel/session/tracked-reads.ts";
import { type StoreChange, type WatchQuery, watchSessions } from "./kernel/session/watch-sessions.ts";
import { type ReceiptQuery, receiptQueryKeys, type SessionRecord } from "./kernel/store/store.ts";
import { storeFlags } from "./kernel/store/store-flags.ts";
import { type ChainReport, verifyChain } from "./kernel/store/verify-chain.ts";
import { createToolFilter } from "./kernel/tool-search/tool-filter.ts";
import { findSandbox } from "./machine/sandbox/find-sandbox.ts";
import { removeLeftOfSandboxes } from "./machine/sandbox/remove-left.ts";
import type { Sandbox, SandboxStatus } from "./machine/sandbox/sandbox.ts";
import { newId } from "./shared/new-id.ts";
import { refuseUnknownKeys } from "./shared/options/refuse-unknown-keys.ts";
import { relativeInside } from "./shared/relative-inside.ts";
import { createRedactor } from "./shared/secrets/redact.ts";
import type { SecretSources } from "./shared/secrets/secret-options.ts";
import type { SecretParts, Secrets } from "./shared/secrets/secret-sources.ts";
import { createStrayGuard } from "./shared/stray-rejections.ts";
import type { Caller } from "./tool/caller.ts";
import type { MadeToolStatus } from "./tool/services/made.ts";
import type { SkillSummary } from "./tool/services/skills.ts";
import { builtinRoles } from "./tools/builtin-roles.ts";
import { builtinTools } from "./tools/index.ts";

/** A workspace with its tools, permissions and store. Opens sessions and agents; close it when done. */
export interface Runtime {
  /** Absolute path of the workspace's root. */
  readonly workspace: string;
  readonly tools: RuntimeTools;
  /** MCP servers: their status, and what needs approval. */
  readonly mcp: RuntimeMcp;
  /** The tools that agents have made for the project, and those that need approval. */
  readonly madeTools: RuntimeMadeTools;
  /** Creates a session, or resumes the one with this id. */
  openSession(options?: SessionOptions): Promise<Session>;
  /** Creates an agent: a model that works with the tools of a session. */
  agent(options: SessionAgentOptions): SessionAgent;
  /**
   * A session that another process may have open: read without opening it, and changed by its owner. Rejects if there is
   * none with this id.
   */
  remoteSession(id: string): Promise<RemoteSession>;
  /** Calls and MCP servers that wait for a person, in every session and process of the store. */
  readonly approvals: RuntimeApprovals;
  /**
   * Tells that sessions of the store have changed, in whichever process, until the signal or the runtime ends. The first
   * change comes when the watch has begun.
   */
  watch(options?: WatchQuery): AsyncGenerator<StoreChange, void, void>;
  /** Every session in the store. */
  sessions(): Promise<readonly SessionRecord[]>;
  /** Receipts of finished calls, newest first. */
  receipts(query?: ReceiptQuery): Promise<readonly Receipt[]>;
  /** The full output that a call's result left out parts of, with secrets masked; undefined if it is not kept. */
  readOutput(receipt: Pick<Receipt, "storedPath">): Promise<string | undefined>;
  /** What a call has changed in files, as a unified diff with secrets masked, a long one cut; undefined if it is not kept. */
  readDiff(receipt: Pick<Receipt, "undo">): Promise<string | undefined>;
  /** Recomputes the hash chain of the log, of one session or all, and reports where it is broken. */
  verify(sessionId?: string): Promise<readonly ChainReport[]>;
  /** The sandbox for shell commands on this machine; if there is none, the reason. */
  sandbox(): Promise<SandboxStatus>;
  /** Counts and times since it was opened: calls, approvals, sessions, writes to the store, event loop, memory. */
  metrics(): RuntimeMetrics;
  /** Whether calls can do their work: looks at the store, the disk and the sandbox. */
  health(): Promise<RuntimeHealth>;
  /** Tools that could not be offered, and rules that do something else than they seem to, each with the reason. */
  problems(): readonly SourceProblem[];
  /** The workspace's current skills, and the skill files that cannot be used. */
  readonly skills: DefinitionList<SkillSummary>;
  /** The current templates for sub-agents, and the template files that cannot be used. */
  readonly agents: DefinitionList<AgentTemplate>;
  /** Closes its sessions, MCP servers and store. */
  close(): Promise<void>;
}

/** For whoever decides on the tools that agents make. */
export interface RuntimeMadeTools {
  list(): Promise<readonly MadeToolStatus[]>;
  /** Approves a proposal, after it was checked; rejects if it has changed since the id was shown. */
  approve(id: string): Promise<void>;
  /** Denies a proposal. */
  deny(id: string, why?: string): Promise<void>;
  /** Takes the approval of a tool back, in every process; agents cannot propose this version again. */
  revoke(id: string, why?: string): Promise<void>;
}

/** The tools of a runtime, whichever session calls them. */
export interface RuntimeTools extends ToolList {
  /** Tool names by group, as the runtime's dialect has them. A group is a folder of tool files, or an MCP server. */
  groups(): Record<string, string[]>;
  /** Adds the tools of your own MCP client, named `mcp__<name>__<tool>`. */
  registerMCPLoader(name: string, loader: McpLoader): Promise<void>;
}

const defaultTimeoutMs = 60_000;

const opensRuntime =
  "the module of an isolated tool opens a runtime when it is loaded; move the tool to a module of its own";

/** Opens a runtime. Rejects if an option is invalid; then nothing stays open. */
export async function openRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  return openRuntimeAt(policyPlaces(), options);
}

/** Opens a runtime whose policy files are elsewhere. Not part of the public API: nobody may choose what binds them. */
export async function openRuntimeAt(
  policyFiles: PolicyPlaces,
  options: RuntimeOptions = {},
): Promise<Runtime> {
  const unsupported = whyUnsupported();
  if (unsupported !== undefined) throw new Error(unsupported);
  if (isLoadingIsolated()) throw new Error(opensRuntime);
  checkOptions(options);
  const own = runtimeDialect(options);
  const spoken = [own];
  const closers: (() => Promise<void>)[] = [];
  try {
    const strays = createStrayGuard();
    closers.push(async () => strays.close());
    const isolated = createIsolatedTools();
    closers.push(isolated.close);
    const metrics = createMetricsRecorder();
    const opened = await openPlaces(options, policyFolder(policyFiles));
    closers.push(opened.close);
    const places: Places = { ...opened, store: metrics.count(opened.store) };
    const { workspace, store } = places;
    const network = await warnOfNetwork(places, options);
    const skillCatalogue = createSkillCatalogue(workspace);
    const templates = createTemplateCatalogue(workspace, options.agents?.templates ?? {});
    const registry = createRegistry({ takenName: takenNamesOf(spoken) });
    closers.push(registry.close);
    const pluginHooks = await addSources(registry, own, options);
    const webAccess = createWebAccess(options.web, places);
    const databaseAccess = createDatabaseAccess(options.databases);
    const mcp = await openMcp(registry, { ...places, webClient: webAccess.publicClient }, options);
    closers.push(mcp.close);
    const redactor = createRedactor([...(options.secrets ?? []), ...(databaseAccess?.secrets ?? [])]);
    const madeTools = await openMadeToolsIfAny({
      root: workspace.root,
      stateFolder: places.projectFolder,
      registry,
      redactor,
      impersonated: findImpersonated(builtinTools.map(({ name }) => name)),
      isSandboxOff: options.sandbox === "off",
    });
    const beforeSearch = async () => {
      await Promise.all([mcp.beforeSearch(), madeTools.refresh()]);
    };
    const dialects = openDialects({ registry, spoken, options, beforeSearch });
    const { names } = dialects;
    const policySource = await openPolicyScopes({
      places: policyFiles,
      root: workspace.root,
      given: options.permissions ?? {},
      names,
    });

    const supplies = shareSupplies();
    closers.push(supplies.close);
    const sessions = createSharedSessions<OpenedSession>();
    const counted = async (opening: Promise<OpenedSession>) => {
      const session = await opening;
      metrics.onSession(session.closed);
      return session;
    };
    const openWith =
      (own: () => SessionParts): SessionParts["openChild"] =>
      (child, parent) =>
        sessions.share(child, () => counted(openSession(own(), child, parent)));
    const secrets = await openDeclared(options.secretSources, {
      roots: [workspace.root, ...extraRootsOf(options)],
      mask: redactor.add,
    });
    const parts: SessionParts = {
      ...places,
      secrets,
      skillCatalogue,
      templates,
      options,
      dialects,
      agentTool: builtinRoles.agentTool,
      readTool: builtinRoles.readTool,
      policySource,
      hooks: followHooks(options.hooks ?? {}, pluginHooks, (programs) =>
        commandHooks(programs, {
          root: workspace.root,
          canonicalName: (name) => dialects.speak(own.name).view.resolve(name)?.entry.name ?? name,
        }),
      ),
      redactor,
      findEvidence: createFindEvidence(places.lostIntents, { redactor, keepRecord: keepUndoRecord }),
      databaseAccess,
      defaultTimeoutMs: options.timeoutMs ?? defaultTimeoutMs,
      taskVariables: new Map(),
      sandbox: sandboxFor(places, options),
      supplies,
      webAccess,
      madeTools,
      inboxes: createInboxes(store),
      keepRules: (rules) => keepOwnRules(ownProjectFile(policyFiles, workspace.root), rules),
      storeFlags: storeFlags(workspace.root, options.store),
      strays,
      isolated,
      metrics,
      filterTools: (tools, { isRestricting = false } = {}) =>
        createToolFilter(tools, { where: "tools", names, registry, isRestricting }),
      inFolder: async (root, readable) => {
        const moved = await moveTo(places, root);
        const inside: SessionParts = {
          ...parts,
          ...moved,
          skillCatalogue: createSkillCatalogue(moved.workspace),
          policySource: movePolicy(policySource, workspace.root),
          sandbox: sandboxFor(moved, { ...options, workspace: root }, readable),
          openChild: openWith(() => inside),
        };
        return inside;
      },
      openChild: openWith(() => parts),
    };
    if (options.sandbox === "required") await parts.sandbox();
    let closing: Promise<void> | undefined;
    let sweeping: Promise<boolean> | undefined;
    /** Once, before the first session; what is left over keeps no session from being opened. */
    const sweep = async () => {
      sweeping ??= sweepLost().then(
        () => true,
        () => {
          sweeping = undefined;
          return false;
        },
      );
      const isSwept = await sweeping;
      // A process may have died since. Who has just waited in vain, such as for one that is suspended, does not wait again.
      if (isSwept) await places.lostIntents.recover().catch(() => {});
    };
    const sweepLost = async () => {
      await endLostRuns(store, { lost: places.lostIntents, findEvidence: parts.findEvidence });
      await places.recoverMemory();
      await removeLeftOfSandboxes();
    };
    const open = async (given: SessionOptions = {}, model?: string) => {
      if (closing !== undefined) throw new Error("the runtime is closed");
      // The session gets its id here, so that closing the runtime waits for one that is still being opened.
      refuseUnknownKeys(given, sessionKeys, "openSession");
      const known = { ...given, id: given.id ?? newId("session") };
      return sessions.share(known, async () => {
        await sweep();
        return counted(openSession(parts, { ...(model && { model }), ...known }));
      });
    };
    closers.push(() => collectGently({ ...places, kinds: keptKinds }, options.retention ?? {}));
    closers.push(sessions.close);
    const ending = new AbortController();
    // Every stream of a remote session listens for the end.
    setMaxListeners(0, ending.signal);
    const remote = trackReads(store);
    closers.push(() => {
      ending.abort();
      return remote.settled();
    });
    const remoteParts: RemoteParts = {
      store: remote.store,
      open: (id) => open({ id }),
      caller: options.caller ?? { kind: "code", name: "toolwright" },
      mask: parts.redactor.text,
      workspace: workspace.root,
      keepRules: parts.keepRules,
      ending: ending.signal,
    };

    const made = peoplesView(madeTools, remoteParts.caller);
    return {
      workspace: workspace.root,
      tools: withLoaders(registry, dialects.speak(own.name).view),
      mcp,
      madeTools: made,
      openSession: (given) => open(given),
      agent: (agentOptions) =>
        openAgent(agentOptions, {
          open,
          filterTools: parts.filterTools,
          sessionKeys,
          eventHooks: () => parts.hooks().event,
          mask: redactor.text,
        }),
      remoteSession: (id) => openRemoteSession(remoteParts, id),
      // Whatever else waits for a person, such as a tool that a model has made, is one more in this list.
      approvals: openWaitingList([
        waitingCalls(remoteParts),
        waitingQuestions(remoteParts),
        waitingServers(mcp),
        waitingTools(made),
      ]),
      watch: ({ signal, ...others } = {}) =>
        watchSessions(store, {
          ...others,
          signal: signal ? AbortSignal.any([signal, ending.signal]) : ending.signal,
        }),
      sessions: () => store.listSessions(),
      async receipts(query = {}) {
        refuseUnknownKeys(query, receiptQueryKeys, "receipts");
        return store.readReceipts(query);
      },
      async readOutput({ storedPath }) {
        const text = storedPath === undefined ? undefined : await places.outputs.read(storedPath);
        return text === undefined ? undefined : parts.redactor.text(text);
      },
      async readDiff({ undo }) {
        const record = undo === undefined ? undefined : await readUndoRecord(places.blobs, undo);
        return record?.diff && parts.redactor.text(record.diff);
      },
      async verify(sessionId) {
        const ids = sessionId === undefined ? await store.listLogs() : [sessionId];
        return Promise.all(ids.map((id) => verifyChain(store, id, keptKinds)));
      },
      sandbox: parts.sandbox,
      metrics: metrics.read,
      health: () =>
        readHealth({ ...places, network, sandbox: parts.sandbox, isSandboxOff: options.sandbox === "off" }),
      problems: () => [...registry.problems(), ...policySource.problems()],
      skills: { list: skillCatalogue.list, problems: skillCatalogue.problems },
      agents: { list: templates.list, problems: templates.problems },
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

/** Loaded only if there are some, because reading them takes more than most runtimes need. */
async function openDeclared(sources: SecretSources = {}, parts: SecretParts): Promise<Secrets> {
  if (Object.keys(sources).length === 0)
    return { sources, read: (name) => Promise.reject(new Error(`there is no secret ${name}`)) };
  const { openSecrets } = await import("./shared/secrets/secret-sources.ts");
  return openSecrets(sources, parts);
}

/** The names that rules may use, without opening a runtime: its policy may be what is being looked at. */
export async function openRuleNames(
  options: RuntimeOptions = {},
): Promise<{ names: RuleNames; close(): Promise<void> }> {
  checkOptions(options);
  const dialect = runtimeDialect(options);
  const registry = createRegistry();
  await addSources(registry, dialect, options);
  const { nearest } = createDialectView(dialect, registry);
  return { names: ruleNames([dialect], { ...builtinRoles, registry, nearest }), close: registry.close };
}

async function warnOfNetwork(
  { stateFolder }: Places,
  { logger = silentLogger, store }: RuntimeOptions,
): Promise<NetworkState | undefined> {
  const network = await findNetworkState(stateFolder, store);
  if (network !== undefined) logger.warn(`${network.found}; ${network.advice}`);
  return network;
}

function extraRootsOf({ workspace }: RuntimeOptions): readonly string[] {
  return typeof workspace === "object" ? (workspace.extraRoots ?? []) : [];
}

function sandboxFor(
  { workspace, ownFolders, stateFolder, codePaths }: Places,
  options: RuntimeOptions,
  readable: readonly string[] = [],
): () => Promise<Sandbox> {
  const { sandbox: mode = "auto", logger = silentLogger } = options;
  const roots = { root: workspace.root, extraRoots: extraRootsOf(options) };
  // The worktree of a sub-agent is in one of our folders; of that one, it sees nothing else anyway.
  const hidden = ownFolders.filter((folder) => relativeInside(folder, workspace.root) === undefined);
  return findSandbox(
    {
      ...{ mode, roots, readable, hidden: [stateFolder, ...hidden] },
      ...{ protectedNames, homeNames, sensitiveNames, codePaths },
      findPublic: workspace.publicFiles.list,
    },
    { logger },
  );
}

function peoplesView({ list, approve, deny, revoke }: MadeTools, { kind, name }: Caller): RuntimeMadeTools {
  const by = `${kind} ${name}`;
  return {
    list,
    approve: (id) => approve(id, by),
    deny: (id, why) => deny(id, by, why),
    revoke: (id, why) => revoke(id, by, why),
  };
}

function withLoaders(registry: Registry, { groups }: DialectView): RuntimeTools {
  const { register, explain, list, onChange } = registry;
  return {
    register,
    groups,
    explain,
    list,
    onChange,
    async registerMCPLoader(name, loader) {
      const { createLoaderSource } = await import("./capabilities/mcp-client/loader-source.ts");
      await registry.addSource(createLoaderSource(name, loader));
    },
  };
}

/** Closes everything, even after a failure, then throws the first failure. */
async function closeInReverse(closers: (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const close of closers.splice(0).reverse()) {
    await close().catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}
