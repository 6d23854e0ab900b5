import { once } from "node:events";
import { readdir, stat } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";
import { openSignIn } from "../../../../src/capabilities/mcp-client/sign-in/sign-in.ts";
import type { Runtime } from "../../../../src/index.ts";
import { temporaryFolder } from "../../../support/open-test-session.ts";
import { stopClock } from "../../../support/stop-clock.ts";
import { listenWithSignIn } from "../sign-in-server.ts";
import { askedOf, browse, createHome, listenWithoutToken, waiting } from "./sign-in-home.ts";

const isRunning = (runtime: Runtime) =>
  vi.waitFor(() => expect(runtime.mcp.servers()).toMatchObject([{ status: "running" }]), waiting);

test("a person signs in with a browser once, and what comes of it is kept for this server alone", async () => {
  const { open, state } = await createHome();
  const { url, grants } = await listenWithSignIn();
  const first = await open({ url, signIn: true });
  const asked = await askedOf(first);
  expect(asked.searchParams.get("code_challenge_method")).toBe("S256");
  const back = asked.searchParams.get("redirect_uri") ?? "";
  expect(back).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);

  // Somebody else's answer, or none at all, is not taken for the one that was asked for.
  expect((await fetch(`${back}?code=stolen&state=guessed`)).status).toBe(400);
  expect((await fetch(`${back}?code=stolen`)).status).toBe(400);
  expect((await fetch(new URL("/other", back))).status).toBe(404);
  expect(grants).toEqual([]);

  expect(await (await fetch(asked)).text()).toContain("close this page");
  await isRunning(first);
  expect(grants).toEqual([back]);
  const session = await first.openSession();
  expect((await session.call("mcp__remote__ask", {})).text).toBe("come in");
  expect((await fetch(`${back}?code=late&state=${asked.searchParams.get("state")}`)).status).toBe(400);
  await first.close();

  const second = await open({ url, signIn: true });
  await isRunning(second);
  expect(grants).toHaveLength(1);
  const [workspaceState = ""] = await readdir(join(state, "toolwright"));
  const folder = join(state, "toolwright", workspaceState, "mcp-credentials");
  const [file = ""] = await readdir(folder);
  expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
}, 40_000);

test("code may open the sign-in address itself", async () => {
  const { open } = await createHome();
  const { url } = await listenWithSignIn();
  const runtime = await open({ url, signIn: { open: (address) => void fetch(address) } });
  await isRunning(runtime);
}, 20_000);

test.each(["file:///etc/passwd", "javascript:alert(1)", "http://example.com/authorize"])(
  "a person is not sent to %s",
  async (authorize) => {
    const { open } = await createHome();
    const { url } = await listenWithSignIn({ authorize });
    const opened: URL[] = [];
    const runtime = await open({ url, signIn: { open: (address) => opened.push(address) } });
    await vi.waitFor(() => expect(runtime.mcp.servers()).toMatchObject([{ status: "unavailable" }]), waiting);
    expect(runtime.mcp.servers()[0]?.reason).not.toContain("open ");
    expect(opened).toEqual([]);
  },
  20_000,
);

test("a browser that comes back before the return is awaited still signs in", async () => {
  const signIn = await openSignIn(
    { port: 0 },
    { server: "remote", url: "https://example.com/mcp", folder: await temporaryFolder(), onAsk: () => {} },
  );
  onTestFinished(signIn.close);
  const { provider } = signIn;
  const state = String(await provider.state?.());
  await provider.redirectToAuthorization(new URL("https://example.com/authorize"));
  const back = `${provider.redirectUrl}?code=here&state=${state}`;
  expect((await fetch(back)).status).toBe(200);
  const returned = await signIn.returned(AbortSignal.timeout(5000));
  expect(returned.get("code")).toBe("here");
});

test("an authorization server that takes long to register us is waited for as long as it may take to connect", async () => {
  const { open } = await createHome();
  const { url } = await listenWithSignIn({ beforeRegistration: () => vi.advanceTimersByTimeAsync(9000) });
  stopClock();
  const opened: URL[] = [];
  const browse = (address: URL) => {
    opened.push(address);
    void fetch(address);
  };
  const runtime = await open({ url, connectTimeoutMs: 10_000, signIn: { open: browse } });
  await isRunning(runtime);
  expect(opened).toHaveLength(1);
}, 40_000);

test("an attempt to connect that took too long does not go on signing in behind the next one", async () => {
  const { open } = await createHome();
  const registrations: string[] = [];
  const { url } = await listenWithSignIn({
    async beforeRegistration(outgoing) {
      if (registrations.push("asked for") > 1) return;
      await once(outgoing, "close");
      registrations[0] = "given up";
    },
  });
  const pages: Promise<number>[] = [];
  const browse = (address: URL) => void pages.push(fetch(address).then(({ status }) => status));
  // Long enough for the second, also where this process gets little time.
  const runtime = await open({ url, connectTimeoutMs: 4000, signIn: { open: browse } });
  await isRunning(runtime);
  expect(registrations).toEqual(["given up", "asked for"]);
  expect(await Promise.all(pages)).toEqual([200]);
}, 40_000);

test("a token that does not come is not waited for longer than it may take to connect", async () => {
  const { open } = await createHome();
  const { url, askedForToken } = await listenWithoutToken();
  const runtime = await open({ url, connectTimeoutMs: 3000, signIn: { open: browse } });
  await vi.waitFor(() => {
    expect(runtime.mcp.servers()[0]?.reason).toContain("no answer within 3000 ms");
  }, waiting);
  await vi.waitFor(() => expect(askedForToken[0]?.destroyed).toBe(true), waiting);
}, 40_000);

test("no request to the return address ends the process, and the sign-in still works", async () => {
  const { open } = await createHome();
  const { url } = await listenWithSignIn();
  const runtime = await open({ url, signIn: true });
  const asked = await askedOf(runtime);
  const { port } = new URL(asked.searchParams.get("redirect_uri") ?? "");
  const answers = await Promise.all(
    ["//", "http://[", "\\\\", "/callback?%", "*", "/%"].map((target) => rawRequest(Number(port), target)),
  );
  expect(answers.every((answer) => /^HTTP\/1\.1 4\d\d/.test(answer))).toBe(true);
  const silent = Array.from({ length: 300 }, () => connect(Number(port), "127.0.0.1").on("error", () => {}));
  onTestFinished(() => {
    for (const socket of silent) socket.destroy();
  });
  await Promise.all(silent.map((socket) => once(socket, "connect").catch(() => {})));
  expect(await (await fetch(asked)).text()).toContain("close this page");
  await isRunning(runtime);
}, 40_000);

test("a client secret needs the issuer that it is for, and goes to no other that the server names", async () => {
  const { open } = await createHome();
  const { url, grants } = await listenWithSignIn();
  const given = { clientId: "us", clientSecret: "hush" };
  await expect(open({ url, signIn: given })).rejects.toThrow("signIn.clientSecret needs signIn.issuer");
  const runtime = await open({ url, signIn: { ...given, issuer: "https://login.example" } });
  await vi.waitFor(() => {
    expect(runtime.mcp.servers()[0]?.reason).toContain("but https://login.example is configured as issuer");
  }, waiting);
  expect(grants).toEqual([]);
}, 40_000);

test("a client that was registered by hand signs in with its secret at the issuer that it is for", async () => {
  const { open } = await createHome();
  const registered = { clientId: "us", clientSecret: "hush" };
  const { url, grants } = await listenWithSignIn({ registered });
  const asked: URL[] = [];
  const visit = (address: URL) => {
    asked.push(address);
    browse(address);
  };
  const runtime = await open({ url, signIn: { ...registered, issuer: new URL(url).origin, open: visit } });
  await isRunning(runtime);
  expect(grants).toHaveLength(1);
  expect(asked.map(({ searchParams }) => searchParams.get("client_id"))).toEqual(["us"]);
}, 40_000);

async function rawRequest(port: number, target: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  return text(socket);
}
