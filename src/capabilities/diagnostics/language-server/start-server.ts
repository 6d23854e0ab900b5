import { spawn } from "node:child_process";
import { type Bounds, boxOf } from "../../../kernel/policy/bounds.ts";
import type { Sandbox } from "../../../machine/sandbox/sandbox.ts";
import { signalGroup } from "../../../shared/programs/signal-group.ts";
import { type ConnectionHandlers, connectToServer, type ServerConnection } from "./server-connection.ts";

export interface StartedServer extends ServerConnection {
  /** Ends it and everything that it started. */
  stop(): Promise<void>;
}

export interface ServerPlace {
  readonly sandbox: Sandbox;
  readonly bounds: Bounds;
  readonly environment: Readonly<Record<string, string>>;
}

/** Starts a language server in the sandbox of a command. */
export async function startServer(
  [file = "", ...args]: readonly string[],
  { sandbox, bounds, environment }: ServerPlace,
  handlers: ConnectionHandlers,
): Promise<StartedServer> {
  const box = boxOf(bounds, { isKept: false, hasTerminal: false });
  const wrapped = await sandbox.wrap({ file, args, environment }, box);
  try {
    const child = spawn(wrapped.file, wrapped.args, {
      cwd: bounds.directory,
      env: wrapped.environment,
      stdio: ["pipe", "pipe", "pipe", "ignore", ...wrapped.descriptors],
      // In a new process group, so that the processes it starts end with it where no sandbox does that.
      detached: true,
    });
    const closed = new Promise<void>((resolve) => {
      child.once("error", () => resolve());
      child.once("exit", () => resolve());
    }).then(async () => void (await wrapped.finish?.()?.catch(() => {})));
    const connection = connectToServer(child, handlers);
    const kill = () => signalGroup(child.pid);
    // What cannot be understood is not talked to any longer.
    connection.ended.then(kill);
    return {
      ...connection,
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
