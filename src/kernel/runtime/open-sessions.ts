import { newId } from "../../shared/new-id.ts";
import { defined } from "../../shared/options/defined.ts";
import { refuseUnknownKeys } from "../../shared/options/refuse-unknown-keys.ts";
import type { SecretSources } from "../../shared/secrets/secret-options.ts";
import type { SecretParts, Secrets } from "../../shared/secrets/secret-sources.ts";
import { commandHooks, followHooks } from "../call/index.ts";
import { keepOwnRules, movePolicy, ownProjectFile } from "../policy/index.ts";
import { createInboxes } from "../session/index.ts";
import { storeFlags } from "../store/index.ts";
import { createToolFilter } from "../tool-search/index.ts";
import { type AssembledRuntime, extraRootsOf, sandboxFor } from "./assemble/assemble-runtime.ts";
import { createSweep, declaredReceipt, declaredServices } from "./open-capabilities.ts";
import { moveTo } from "./places/open-places.ts";
import type { RunningRuntime } from "./running-runtime.ts";
import { openSession } from "./session/open-session.ts";
import { type Session, sessionKeys } from "./session.ts";

/** Lets an assembled runtime open sessions. */
export async function openSessions(assembled: AssembledRuntime) {
  const { metrics } = assembled;
  const sessions = createSharedSessions();
  const counted = async (opening: Promise<Session>) => {
    const session = await opening;
    metrics.onSession(session.closed);
    return session;
  };
  const sweep = createSweep(assembled);
  const shared = await shareForAll(assembled);
  const runtimeIn = (moved: Partial<RunningRuntime>): RunningRuntime => {
    const runtime: RunningRuntime = {
      ...assembled,
      ...shared,
      ...moved,
      async open(given = {}, model) {
        // The session gets its id here, so that closing the runtime waits for one that is still being opened.
        refuseUnknownKeys(given, sessionKeys, "openSession");
        const known = { ...given, id: given.id ?? newId("session") };
        return sessions.share(known, async () => {
          await sweep();
          return counted(openSession(runtime, { ...defined({ model }), ...known }));
        });
      },
      openChild: (child, parent) => sessions.share(child, () => counted(openSession(runtime, child, parent))),
      inFolder: async (root, readable) => runtimeIn(await moveRuntime(assembled, root, readable)),
    };
    return runtime;
  };
  return { runtime: runtimeIn({}), sessions };
}

/** The parts that all sessions share, whichever folder they work in. */
async function shareForAll(assembled: AssembledRuntime) {
  const { capabilities, options, workspace, store, redactor, dialects, registry, policyFiles } = assembled;
  const { names } = dialects;
  const filterTools: RunningRuntime["filterTools"] = (tools, { isRestricting = false } = {}) =>
    createToolFilter(tools, { names, registry, isRestricting });
  const keepRules: RunningRuntime["keepRules"] = (rules) =>
    keepOwnRules(ownProjectFile(policyFiles, workspace.root), rules);
  return {
    ...{ filterTools, keepRules },
    services: declaredServices(capabilities),
    receiptFields: declaredReceipt(capabilities),
    secrets: await openDeclared(options.secretSources, {
      roots: [workspace.root, ...extraRootsOf(options)],
      mask: redactor.add,
    }),
    hooks: followHooks(options.hooks ?? {}, assembled.pluginHooks, (programs) =>
      commandHooks(programs, {
        root: workspace.root,
        canonicalName: (name) => dialects.speak(assembled.dialect).view.resolve(name)?.entry.name ?? name,
      }),
    ),
    taskVariables: new Map(),
    inboxes: createInboxes(store),
    storeFlags: storeFlags(workspace.root, options.store),
  };
}

/**
 * Opens the declared secrets. The code that reads them is loaded only if there are some, because most runtimes have
 * none.
 */
async function openDeclared(sources: SecretSources = {}, parts: SecretParts): Promise<Secrets> {
  if (Object.keys(sources).length === 0)
    return { sources, read: (name) => Promise.reject(new Error(`there is no secret ${name}`)) };
  const { openSecrets } = await import("../../shared/secrets/secret-sources.ts");
  return openSecrets(sources, parts);
}

/** The parts that differ for a session in another folder: that of a sub-agent's worktree. */
async function moveRuntime(assembled: AssembledRuntime, root: string, readable: readonly string[]) {
  const { places, options, parts, policySource, workspace } = assembled;
  const moved = await moveTo(places, root);
  const sandbox = sandboxFor(moved, { ...options, workspace: root }, readable);
  const opening = { ...assembled, ...moved, sandbox, offers: {} };
  return {
    ...moved,
    sandbox,
    parts: parts.map((part) => part.inFolder?.(opening) ?? part),
    policySource: movePolicy(policySource, workspace.root),
  };
}

/** A runtime's open sessions, by id. */
function createSharedSessions() {
  const sessions = new Map<string, Promise<Session>>();

  /** Returns a session that is already open: two with the same id would not see each other's variables. */
  const share = async (options: { readonly id: string }, open: () => Promise<Session>): Promise<Session> => {
    const { id, ...others } = options;
    const shared = sessions.get(id);
    if (shared !== undefined) {
      const session = await shared;
      if (session.isOpen) {
        // A caller that asks for a stricter mode must not get a session with a looser one.
        if (Object.keys(others).length === 0) return session;
        throw new TypeError(`session ${id} is already open; close it before you open it with other options`);
      }
      await session.closed;
      return share(options, open);
    }
    const opening = open();
    sessions.set(id, opening);
    opening.then(
      (session) => session.closed.then(() => sessions.delete(id)),
      () => sessions.delete(id),
    );
    return opening;
  };

  return {
    share,
    /** Closes all sessions, including those that are still being opened. */
    async close() {
      const open = await Promise.allSettled(sessions.values());
      const closing = open.map((session) => session.status === "fulfilled" && session.value.close());
      // The store closes next, so wait for all of them even if one fails.
      await Promise.allSettled(closing);
      await Promise.all(closing);
    },
  };
}
