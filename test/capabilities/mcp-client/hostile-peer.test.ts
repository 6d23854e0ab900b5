import { expect, test, vi } from "vitest";
import { floods, openHostilePeer, startHostileServer } from "./open-hostile-peer.ts";
import { openWithServers } from "./open-with-servers.ts";

const waiting = { timeout: 30_000, interval: 20 };

test.each(floods)(
  "over %s, a server that floods us with %s and takes no answer is ended, and that is said",
  async (transport = "", manner = "") => {
    const { call, status, session } = await openHostilePeer(transport);
    expect(await call(manner)).toMatchObject({ status: "failed", error: { code: "unavailable" } });
    await vi.waitFor(() => expect(status()).toMatchObject({ status: "unavailable" }), waiting);
    expect(status()?.reason).toMatch(/^it (?:has more than 100 requests open|sent more than 200 requests)/);
    expect(await session.call("file_list", {})).toMatchObject({ status: "done" });
  },
  40_000,
);

test.each(["stdio", "http"])(
  "over %s, an answer that is deep, wide, giant or somebody else's concerns its call alone",
  async (transport) => {
    const { call, status, session } = await openHostilePeer(transport);
    for (const manner of ["deep", "wide", "giant"]) {
      expect(await call(manner), manner).toMatchObject({ status: "failed" });
      expect(status(), manner).toMatchObject({ status: "running" });
      expect(await call("lies"), manner).toMatchObject({ status: "done", text: "done" });
    }
    expect(await session.call("file_list", {})).toMatchObject({ status: "done" });
    // A tool that changes under its call cannot be called again unseen.
    expect(await call("changes")).toMatchObject({ status: "done" });
    await vi.waitFor(async () => expect((await call("lies")).status).not.toBe("done"), waiting);
  },
  60_000,
);

test("a server over stdio that prints garbage is ended, the call says so, and other calls go on", async () => {
  const { call, status, session } = await openHostilePeer("stdio");
  expect(await call("garbage")).toMatchObject({ status: "failed", error: { code: "unavailable" } });
  await vi.waitFor(
    () => expect(status()).toMatchObject({ status: expect.not.stringMatching("running") }),
    45_000,
  );
  expect(await session.call("file_list", {})).toMatchObject({ status: "done" });
});

test("a stream over HTTP is not read on once its call has ended, whether it was answered or not", async () => {
  const server = await startHostileServer("http");
  const { session } = await openWithServers({
    permissions: { mode: "auto", allow: ["@network", "@execute"] },
    mcpServers: { hostile: server },
  });
  const openStreams = async () =>
    Number(await (await fetch(new URL("/open", (server as { url: string }).url))).text());
  for (const manner of ["reports after the answer", "reports", "blanks", "nothing"]) {
    await session.call("mcp__hostile__ask", { manner }, { timeoutMs: 200 });
    await vi.waitFor(async () => expect(await openStreams(), manner).toBe(0), waiting);
  }
});
