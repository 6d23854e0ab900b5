import { spawn } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { type Bounds, boxOf } from "../../../kernel/policy/index.ts";
import type { Sandbox } from "../../../machine/sandbox/index.ts";
import type { Deadline } from "../../../shared/deadline.ts";
import { isPlainObject } from "../../../shared/json.ts";
import { signalGroup } from "../../../shared/programs/signal-group.ts";
import { type ConnectionHandlers, connectToServer } from "./server-connection.ts";

export type LanguageServer = Awaited<ReturnType<typeof openLanguageServer>>;

/** A document as the server is told of it; without a text if it is gone, or may not be read. */
export interface ServerDocument {
  readonly uri: string;
  readonly languageId: string;
  readonly text: string | undefined;
}

/** Starts a language server, greets it, and keeps which documents it knows. */
export async function openLanguageServer(argv: readonly string[], place: ServerPlace, deadline: Deadline) {
  const rootUri = pathToFileURL(place.root).href;
  const published = createPublished();
  const server = await startServer(argv, place, {
    onNotification(method, params) {
      if (method === "textDocument/publishDiagnostics") published.take(params);
    },
    answer: answerServer,
  });
  let isAlive = true;
  server.ended.then(() => {
    isAlive = false;
  });
  const versions = new Map<string, number>();
  try {
    const greeting = await deadline.race(
      server.request("initialize", {
        processId: process.pid,
        rootUri,
        workspaceFolders: [{ uri: rootUri, name: "workspace" }],
        capabilities,
      }),
    );
    server.notify("initialized", {});
    const isAsked = isPlainObject(greeting) && hasDiagnosticProvider(greeting.capabilities);

    const tell = ({ uri, languageId, text }: ServerDocument): number | undefined => {
      const last = versions.get(uri);
      if (text === undefined) {
        versions.delete(uri);
        if (last !== undefined) server.notify("textDocument/didClose", { textDocument: { uri } });
        return undefined;
      }
      const version = (last ?? 0) + 1;
      versions.set(uri, version);
      if (last === undefined)
        server.notify("textDocument/didOpen", { textDocument: { uri, languageId, version, text } });
      else
        server.notify("textDocument/didChange", {
          textDocument: { uri, version },
          contentChanges: [{ text }],
        });
      server.notify("textDocument/didSave", { textDocument: { uri } });
      return version;
    };

    return {
      get isAlive() {
        return isAlive;
      },
      /** Tells of the documents as they are now, and gives the problems of each as the server sends them. */
      async check(documents: readonly ServerDocument[]) {
        const changes = documents.map(({ uri, text }) => ({ uri, type: text === undefined ? 3 : 2 }));
        server.notify("workspace/didChangeWatchedFiles", { changes });
        const asked = documents.map((document) => {
          const heard = published.next(document.uri);
          const version = tell(document);
          return { uri: document.uri, version, heard };
        });
        const ended = server.ended.then((reason) => Promise.reject(reason));
        // The race below may end first; then this promise must not be an unhandled rejection.
        ended.catch(() => {});
        return Promise.race([
          ended,
          Promise.all(
            asked.map(async ({ uri, version, heard }) => {
              if (version === undefined) return { uri, items: [] };
              const items = isAsked
                ? itemsOf(await server.request("textDocument/diagnostic", { textDocument: { uri } }))
                : await heard(version);
              return { uri, items };
            }),
          ),
        ]);
      },
      close: () => server.stop(),
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

const capabilities = {
  textDocument: {
    synchronization: { didSave: true },
    publishDiagnostics: { versionSupport: true },
    diagnostic: {},
  },
  workspace: { configuration: true, workspaceFolders: true, didChangeWatchedFiles: {} },
};

function hasDiagnosticProvider(given: unknown): boolean {
  return isPlainObject(given) && isPlainObject(given.diagnosticProvider);
}

function itemsOf(report: unknown): readonly unknown[] {
  return isPlainObject(report) && Array.isArray(report.items) ? report.items : [];
}

/** Servers ask for settings and announce their abilities; they have no other questions, and nothing is kept of this. */
function answerServer(method: string, params: unknown): { result: unknown } | undefined {
  if (method === "workspace/configuration") {
    const items = isPlainObject(params) && Array.isArray(params.items) ? params.items : [];
    return { result: items.map(() => null) };
  }
  return silentMethods.has(method) ? { result: null } : undefined;
}

const silentMethods = new Set([
  "client/registerCapability",
  "client/unregisterCapability",
  "window/workDoneProgress/create",
  "window/showMessageRequest",
  "workspace/diagnostic/refresh",
]);

/** Collects the problems that a server publishes by itself, for servers that cannot be asked. */
function createPublished() {
  const listeners = new Map<string, (version: unknown, items: readonly unknown[]) => void>();
  return {
    take(params: unknown) {
      if (!isPlainObject(params)) return;
      const { uri, version, diagnostics } = params;
      if (typeof uri === "string" && Array.isArray(diagnostics)) listeners.get(uri)?.(version, diagnostics);
    },
    /** To be called before the document is told of; then resolves with the problems published about that version. */
    next(uri: string): (version: number) => Promise<readonly unknown[]> {
      let latest: { readonly version: unknown; readonly items: readonly unknown[] } | undefined;
      let wake = () => {};
      listeners.set(uri, (version, items) => {
        latest = { version, items };
        wake();
      });
      return async (wanted) => {
        for (;;) {
          const heard = latest;
          // Many publish a first part at once and the rest when they have looked at everything.
          if (heard !== undefined && (typeof heard.version !== "number" || heard.version >= wanted)) {
            await wait(quietMs);
            if (latest === heard) return heard.items;
            continue;
          }
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      };
    },
  };
}

const quietMs = 150;

interface ServerPlace {
  readonly root: string;
  readonly sandbox: Sandbox;
  readonly bounds: Bounds;
  readonly environment: Readonly<Record<string, string>>;
}

/** Starts a language server in the sandbox of a command. */
async function startServer(
  [file = "", ...args]: readonly string[],
  { sandbox, bounds, environment }: ServerPlace,
  handlers: ConnectionHandlers,
) {
  const box = boxOf(bounds, { isKept: false, hasTerminal: false });
  const wrapped = await sandbox.wrap({ file, args, environment }, box);
  try {
    const child = spawn(wrapped.file, wrapped.args, {
      cwd: bounds.directory,
      env: wrapped.environment,
      stdio: ["pipe", "pipe", "pipe", "ignore", ...wrapped.descriptors],
      // The server gets a new process group, so that its processes end with it where no sandbox does that.
      detached: true,
    });
    const closed = new Promise<void>((resolve) => {
      child.once("error", () => resolve());
      child.once("exit", () => resolve());
    }).then(async () => void (await wrapped.finish?.()?.catch(() => {})));
    const connection = connectToServer(child, handlers);
    const kill = () => signalGroup(child.pid);
    // A server that cannot be understood is ended.
    connection.ended.then(kill);
    return {
      ...connection,
      /** Ends the server and everything that it started. */
      async stop() {
        connection.end(new Error("it was stopped"));
        kill();
        await closed;
      },
    };
  } finally {
    await wrapped.release();
  }
}
