import type { Client } from "@modelcontextprotocol/client";
import { expect, vi } from "vitest";

/** Waits for the tools of servers behind a gateway, which goes to work while some of them are still starting. */
export async function untilOffered(client: Client, ...names: readonly string[]): Promise<void> {
  await vi.waitFor(
    async () => {
      const { tools } = await client.listTools(undefined, { cacheMode: "bypass" });
      expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining([...names]));
    },
    { timeout: 45_000, interval: 100 },
  );
}
