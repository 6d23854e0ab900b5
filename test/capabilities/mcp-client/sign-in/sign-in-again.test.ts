import { expect, test, vi } from "vitest";
import { openTestSession } from "../../../support/open-test-session.ts";
import { listenWithSignIn } from "../sign-in-server.ts";

const waiting = { timeout: 45_000, interval: 50 };

async function openSignedIn(url: string) {
  const pages: Promise<number>[] = [];
  const open = (address: URL) => void pages.push(fetch(address).then(({ status }) => status));
  const { session, runtime } = await openTestSession({
    permissions: { mode: "auto", allow: ["@network", "@execute"] },
    mcpServers: { remote: { url, signIn: { open } } },
  });
  const ask = () => session.call("mcp__remote__ask", {});
  const isRunning = () =>
    vi.waitFor(() => expect(runtime.mcp.servers()).toMatchObject([{ status: "running" }]), waiting);
  await isRunning();
  return { ask, isRunning, pages };
}

test("a token that is no longer good makes a person sign in once more, and then all goes on", async () => {
  const { url, revoke, grants } = await listenWithSignIn();
  const { ask, isRunning, pages } = await openSignedIn(url);
  expect((await ask()).text).toBe("come in");
  revoke();
  const refused = await ask();
  expect(refused.error).toMatchObject({ code: "unavailable", retryable: true });
  expect(refused.error?.message).toContain("sign-in required: open http://127.0.0.1:");
  await isRunning();
  expect((await ask()).text).toBe("come in");
  expect(await Promise.all(pages)).toEqual([200, 200]);
  expect(grants).toHaveLength(2);
}, 30_000);

test("a person is asked to sign in again also between calls, when the server refuses its stream of events", async () => {
  const { url, revoke, grants } = await listenWithSignIn();
  const { ask, isRunning, pages } = await openSignedIn(url);
  revoke();
  await vi.waitFor(() => expect(grants).toHaveLength(2), waiting);
  await isRunning();
  expect((await ask()).text).toBe("come in");
  expect(await Promise.all(pages)).toEqual([200, 200]);
}, 30_000);

test("a call that needs more rights than were given asks for them", async () => {
  const { url, demand } = await listenWithSignIn();
  const { ask, isRunning, pages } = await openSignedIn(url);
  demand("write");
  expect((await ask()).error).toMatchObject({ code: "unavailable", retryable: true });
  await isRunning();
  expect((await ask()).text).toBe("come in");
  expect(await Promise.all(pages)).toEqual([200, 200]);
}, 30_000);

test("a server may accept anonymous connections, and require a sign-in only to list or call its tools", async () => {
  const early = ["server/discover", "initialize", "notifications/initialized"];
  for (const free of [early, [...early, "tools/list"]]) {
    const { url } = await listenWithSignIn({ isFree: (method) => free.includes(method) });
    const { ask, isRunning, pages } = await openSignedIn(url);
    await vi.waitFor(async () => expect((await ask()).text).toBe("come in"), waiting);
    await isRunning();
    expect(new Set(await Promise.all(pages))).toEqual(new Set([200]));
  }
}, 60_000);

test("many calls that are refused at once need no more than a new sign-in", async () => {
  const { url, revoke } = await listenWithSignIn();
  const { ask, isRunning, pages } = await openSignedIn(url);
  revoke();
  const refused = await Promise.all(Array.from({ length: 20 }, ask));
  for (const { error } of refused) expect(error?.code).toBe("unavailable");
  await isRunning();
  expect((await ask()).text).toBe("come in");
  expect(new Set(await Promise.all(pages))).toEqual(new Set([200]));
}, 60_000);
