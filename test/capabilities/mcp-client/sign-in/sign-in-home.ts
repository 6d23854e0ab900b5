import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { onTestFinished, vi } from "vitest";
import type { McpServerOptions } from "../../../../src/capabilities/mcp-client/index.ts";
import { openRuntime, type Runtime, type RuntimeOptions } from "../../../../src/index.ts";
import { temporaryFolder } from "../../../support/open-test-session.ts";
import { listenWithSignIn } from "../sign-in-server.ts";

export const waiting = { timeout: 45_000, interval: 50 };

export async function createHome() {
  const state = await temporaryFolder();
  const workspace = await temporaryFolder();
  vi.stubEnv("XDG_STATE_HOME", state);
  onTestFinished(() => void vi.unstubAllEnvs());
  const open = async (options: McpServerOptions, mcpStart: McpStart = "when-needed"): Promise<Runtime> => {
    const runtime = await openRuntime({
      workspace,
      permissions: { mode: "auto", allow: ["@network", "@execute"] },
      mcpServers: { remote: options },
      mcpStart,
    });
    onTestFinished(() => runtime.close());
    void runtime.mcp.ready();
    return runtime;
  };
  return { state, open };
}

// At once it would be waited for some seconds for whoever has to sign in.
type McpStart = NonNullable<RuntimeOptions["mcpStart"]>;

/** What the server's status says that somebody has to open. */
export async function askedOf(runtime: Runtime): Promise<URL> {
  return vi.waitFor(() => {
    const [server] = runtime.mcp.servers();
    const [, address = ""] = /sign-in required: open (\S+)/.exec(server?.reason ?? "") ?? [];
    return new URL(address);
  }, waiting);
}

export async function listenWithoutToken() {
  const askedForToken: ServerResponse[] = [];
  const { url } = await listenWithSignIn({
    async beforeToken(outgoing) {
      askedForToken.push(outgoing);
      await once(outgoing, "close");
    },
  });
  return { url, askedForToken };
}

/** In the place of a person who is signed in already. */
export function browse(address: URL): void {
  void fetch(address).catch(() => {});
}
