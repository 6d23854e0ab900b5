import { join } from "node:path";
import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
import { openClientTokens } from "../../../src/faces/mcp-server/http/client-tokens.ts";
import { type HttpOptions, serveHttp } from "../../../src/faces/mcp-server/http/serve-http.ts";
import { openRuntime, type RuntimeOptions } from "../../../src/index.ts";
import { temporaryFolder } from "../../support/open-test-session.ts";
import { createSampleTools } from "./sample-tools.ts";

/** A real server on a free port over a real runtime, both gone when the test ends. */
export async function serveForTest({
  options = {},
  http = {},
}: {
  options?: RuntimeOptions;
  http?: Partial<HttpOptions>;
} = {}) {
  const sample = createSampleTools();
  const workspace = await temporaryFolder();
  const runtime = await openRuntime({ store: "memory:", tools: sample.tools, workspace, ...options });
  const tokens = await openClientTokens(join(await temporaryFolder(), "clients"));
  const token = await tokens.ensure("laptop");
  const errors: Error[] = [];
  const serving = await serveHttp(runtime, {
    version: "1.2.3",
    tokens,
    graceMs: 200,
    onError: (error) => errors.push(error),
    ...http,
  });
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= serving.close();
    return closing;
  };
  onTestFinished(async () => {
    await close();
    await runtime.close();
  });
  return { ...serving, close, runtime, tokens, token, errors, sample, workspace: runtime.workspace };
}

/** The official client, connected by the protocol of a date, or by the current one. */
export async function connectClient(
  { url, token }: { url: string; token: string },
  { protocol = "2026-07-28", ...options }: ClientOptions & { protocol?: string } = {},
): Promise<Client> {
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
  });
  const client = new Client({ name: "test client", version: "1.0.0" }, clientOptions(protocol, options));
  onTestFinished(() => client.close().catch(() => {}));
  await client.connect(transport);
  return client;
}

export function clientOptions(protocol: string, options: ClientOptions = {}): ClientOptions {
  if (protocol === "2026-07-28") return { ...options, versionNegotiation: { mode: { pin: protocol } } };
  return { ...options, versionNegotiation: { mode: "legacy" }, supportedProtocolVersions: [protocol] };
}
