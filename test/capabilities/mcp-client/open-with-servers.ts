import { expect, vi } from "vitest";
import type { Runtime, RuntimeOptions } from "../../../src/index.ts";
import { openTestSession, type TestSession } from "../../support/open-test-session.ts";

/** A session whose MCP servers have all answered, or cannot. */
export async function openWithServers(options: RuntimeOptions): Promise<TestSession> {
  const opened = await openTestSession(options);
  await untilConnected(opened.runtime);
  return opened;
}

/** A runtime itself waits some seconds for its servers, in which a busy machine may not have started them. */
export async function untilConnected({ mcp }: Runtime, isMeant = (_server: string) => true): Promise<void> {
  await vi.waitFor(
    () => {
      const meant = mcp.servers().filter(({ name }) => isMeant(name));
      expect(meant.map(({ status }) => status)).not.toContain("connecting");
    },
    { timeout: 60_000, interval: 20 },
  );
}
