import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import { createSecureContext } from "node:tls";
import { expect, onTestFinished, vi } from "vitest";
import { needs } from "../../support/needs.ts";
import { openTestSession, temporaryFolder } from "../../support/open-test-session.ts";
import { createTestAuthority } from "../../support/web/certificates.ts";

/** Opens every tunnel itself, with a certificate of its own for whatever host is asked for, as proxies of large firms do. */
async function serveInspectingProxy(answer: RequestListener) {
  const authority = createTestAuthority("Inspecting proxy");
  const tunnels: (string | undefined)[] = [];
  const sockets = new Set<Socket>();
  const inside = createSecureServer(
    {
      ...authority.issue(["proxy.example"]),
      SNICallback: (host, done) => done(null, createSecureContext(authority.issue([host]))),
    },
    answer,
  );
  const server = createServer((_request, response) => void response.writeHead(400).end());
  server.on("connect", ({ url }, client: Socket) => {
    tunnels.push(url);
    sockets.add(client);
    client.on("error", () => {});
    client.write("HTTP/1.1 200 Connection established\r\n\r\n");
    inside.emit("connection", client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ca: authority.ca, tunnels };
}

// Npm alone takes longer than most tests.
const testSlowly = await needs("full run");

testSlowly("npm install works behind a proxy that inspects what goes through it", async () => {
  const folder = await temporaryFolder();
  const packed = await pack(folder);
  const proxy = await serveInspectingProxy((request, response) => {
    const isPackage = request.url?.endsWith(".tgz");
    response.setHeader("content-type", isPackage ? "application/octet-stream" : "application/json");
    response.end(isPackage ? packed : JSON.stringify(describePackage(packed)));
  });
  await writeFile(join(folder, "proxy.pem"), proxy.ca);
  vi.stubEnv("HTTPS_PROXY", proxy.address);
  vi.stubEnv("NODE_EXTRA_CA_CERTS", join(folder, "proxy.pem"));
  vi.stubEnv("HOME", join(folder, "home"));
  onTestFinished(() => void vi.unstubAllEnvs());
  const workspace = join(folder, "work");
  await mkdir(join(folder, "home"));
  await mkdir(workspace);
  await writeFile(join(workspace, "package.json"), "{}");
  const { session } = await openTestSession({
    workspace,
    permissions: { mode: "ask" },
    onApproval: () => ({ decision: "allow", by: "test" }),
  });
  const registry = "--registry=https://registry.npmjs.org/ --no-audit --no-fund";
  const { text, data } = await session.call("shell_run", { command: `npm install small ${registry}` });
  expect(data, text).toMatchObject({ exitCode: 0 });
  expect(await readFile(join(workspace, "node_modules/small/package.json"), "utf8")).toContain("small");
  expect(new Set(proxy.tunnels)).toEqual(new Set(["registry.npmjs.org:443"]));
});

async function pack(folder: string): Promise<Buffer> {
  await mkdir(join(folder, "package"));
  await writeFile(join(folder, "package/package.json"), '{ "name": "small", "version": "1.0.0" }');
  return execFileSync("tar", ["-czf", "-", "package"], { cwd: folder });
}

function describePackage(packed: Buffer) {
  const tarball = "https://registry.npmjs.org/small/-/small-1.0.0.tgz";
  const integrity = `sha512-${createHash("sha512").update(packed).digest("base64")}`;
  const version = { name: "small", version: "1.0.0", dist: { tarball, integrity } };
  return { name: "small", "dist-tags": { latest: "1.0.0" }, versions: { "1.0.0": version } };
}
