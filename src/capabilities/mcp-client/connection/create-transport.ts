import { resolve } from "node:path";
import type { FetchLike, Transport } from "@modelcontextprotocol/client";
import { childEnvironment } from "../../../machine/child/index.ts";
import type { GuardedClient } from "../../../machine/web-client/index.ts";
import { defined } from "../../../shared/options/defined.ts";
import { type HttpServerOptions, isStdio, type McpServerOptions } from "../server-options.ts";
import type { SignIn } from "../sign-in/sign-in.ts";
import { createBoundedFetch } from "./bounded-fetch.ts";
import { type ClientStdioTransport, createClientStdioTransport } from "./client-stdio-transport.ts";
import type { ClientSdk } from "./load-client-sdk.ts";
import { createOriginFetch } from "./origin-fetch.ts";

export interface TransportOptions {
  readonly sdk: ClientSdk;
  readonly workspace: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Reaches addresses that servers name, and that the user has not configured. */
  readonly webClient: () => Promise<GuardedClient>;
  /** Called with the size of everything that is received. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
  /** For a server where a person may have to sign in. */
  readonly signIn?: SignIn | undefined;
  /** Ends open requests once the connection is no longer needed. */
  readonly abandoned?: AbortSignal | undefined;
}

export type TransportKind = "stdio" | "http" | "sse";

export function createTransport(
  kind: TransportKind,
  options: McpServerOptions,
  use: TransportOptions,
): Transport | ClientStdioTransport {
  if (!isStdio(options)) return createHttpTransport(kind, options, use);
  const { sdk, workspace, environment, onBytes = () => {} } = use;
  const { command, args = [], env = {}, passEnvironment = [], cwd = "." } = options;
  const declared = { ...env, [depthVariable]: String(depthOf(environment) + 1) };
  const inherited = { inherited: environment, passed: passEnvironment };
  const launch = {
    command,
    args,
    environment: childEnvironment({ ...inherited, declared, secrets: [] }),
    directory: resolve(workspace, cwd),
  };
  return createClientStdioTransport(launch, { sdk, onBytes });
}

/** How deeply Toolwright is nested in MCP servers: one configured as its own server would start itself without end. */
export function depthOf(environment: NodeJS.ProcessEnv): number {
  const depth = Number(environment[depthVariable] ?? 0);
  return Number.isInteger(depth) && depth > 0 ? depth : 0;
}

const depthVariable = "TOOLWRIGHT_MCP_DEPTH";
const maxAnswerBytes = 10 * 1024 * 1024;

function fetchOf(
  { url, headers = {}, oauth, signIn }: HttpServerOptions,
  client: TransportOptions["webClient"],
): FetchLike {
  const issuers = [oauth?.issuer, typeof signIn === "object" ? signIn.issuer : undefined];
  const configured = issuers.filter((issuer) => issuer !== undefined);
  return createOriginFetch({ server: url, headers, configured, client, maxBytes: maxAnswerBytes });
}

function createHttpTransport(
  kind: TransportKind,
  options: HttpServerOptions,
  { sdk, webClient, signIn, abandoned, onBytes = () => {} }: TransportOptions,
): Transport {
  const { oauth } = options;
  const clientName = "toolwright";
  const authProvider =
    options.authProvider ??
    signIn?.provider ??
    (oauth && new sdk.ClientCredentialsProvider({ ...oauth, expectedIssuer: oauth.issuer, clientName }));
  // The SDK is not given the configured headers: it would also send them to the address of a sign-in that the server names.
  const fetch = fetchOf(options, webClient);
  const bounded = createBoundedFetch(maxAnswerBytes, { fetch, onBytes, signal: abandoned });
  const transportOptions = { fetch: bounded, ...defined({ authProvider }) };
  const url = new URL(options.url);
  if (kind === "sse") return new sdk.SSEClientTransport(url, transportOptions);
  return new sdk.StreamableHTTPClientTransport(url, transportOptions);
}
