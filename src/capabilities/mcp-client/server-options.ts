import type { AuthProvider, OAuthClientProvider } from "@modelcontextprotocol/client";
import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";
import { keysOfProperties, kinds, propertiesOf } from "../../shared/options/option.ts";

/**
 * How to reach an MCP server, and which of its tools to offer. `${NAME}` in its command, arguments, URL, headers and so
 * on stands for an environment variable, so that secrets need not be written down.
 */
export type McpServerOptions = StdioServerOptions | HttpServerOptions;

export interface OfferOptions {
  /** False turns the server off. */
  readonly enabled?: boolean;
  /** Offer only these tools, by the server's own names; `*` matches anything. */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /**
   * Which arguments of the server's tools are paths, and whether the tool reads or writes them, so that rules on paths
   * bind them. The keys are the server's own tool names; `*` matches anything: `{ "read_*": { "path": "read" } }`.
   */
  readonly paths?: Readonly<Record<string, Readonly<Record<string, "read" | "write" | "read-write">>>>;
  /** Timeout of each call. */
  readonly timeoutMs?: number;
  /** Timeout for connecting. Default: one minute. */
  readonly connectTimeoutMs?: number;
}

/** A program that speaks MCP over stdin and stdout. It is started without a shell. */
export interface StdioServerOptions extends OfferOptions {
  readonly type?: "stdio";
  readonly command: string;
  readonly args?: readonly string[];
  /** Environment variables in addition to the few that every program gets. */
  readonly env?: Readonly<Record<string, string>>;
  /** Names of this process's environment variables to pass on. */
  readonly passEnvironment?: readonly string[];
  /** Relative to the workspace. Default: the workspace. */
  readonly cwd?: string;
}

export interface HttpServerOptions extends OfferOptions {
  /** Default: Streamable HTTP, or the older SSE if the server knows nothing else. */
  readonly type?: "http" | "sse";
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Client credentials, machine to machine; the secret is sent only to this issuer. */
  readonly oauth?: {
    readonly clientId: string;
    readonly clientSecret: string;
    readonly issuer: string;
    readonly scope?: string;
  };
  /** Lets a person sign in with a browser, at the URL in the server's status. The credentials are stored. */
  readonly signIn?: true | SignInOptions;
  /** The official SDK's interface for any other way to get tokens; only in code. */
  readonly authProvider?: AuthProvider | OAuthClientProvider;
}

export interface SignInOptions {
  /** For authorization servers where clients are registered by hand. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** The authorization server to sign in at, and no other; needed for a secret, which is sent only there. */
  readonly issuer?: string;
  /** For authorization servers that read a client's metadata document. */
  readonly clientMetadataUrl?: string;
  readonly scope?: string;
  /** Local port that the browser is redirected to. Default: any free one. */
  readonly port?: number;
  /** Called with the URL that a person has to open; only in code. */
  readonly open?: (url: URL) => void;
}

const { text, texts } = kinds;
const textMap: JsonSchema = { type: "object", additionalProperties: { type: "string" } };
const milliseconds: JsonSchema = { type: "integer", minimum: 1 };

const offer = propertiesOf<OfferOptions>({
  enabled: { type: "boolean" },
  include: texts,
  exclude: texts,
  paths: {
    type: "object",
    additionalProperties: {
      type: "object",
      additionalProperties: { enum: ["read", "write", "read-write"] },
    },
  },
  timeoutMs: milliseconds,
  connectTimeoutMs: milliseconds,
});

const stdio = propertiesOf<Omit<StdioServerOptions, keyof OfferOptions>>({
  type: { const: "stdio" },
  command: text,
  args: { type: "array", items: { type: "string" } },
  env: textMap,
  passEnvironment: texts,
  cwd: text,
});

const signIn = propertiesOf<Omit<SignInOptions, "open">>({
  clientId: text,
  clientSecret: text,
  issuer: text,
  clientMetadataUrl: text,
  scope: text,
  port: { type: "integer", minimum: 1, maximum: 65_535 },
});

const http = propertiesOf<Omit<HttpServerOptions, keyof OfferOptions | "authProvider">>({
  type: { enum: ["http", "sse"] },
  url: text,
  headers: textMap,
  oauth: {
    type: "object",
    properties: { clientId: text, clientSecret: text, issuer: text, scope: text },
    required: ["clientId", "clientSecret", "issuer"],
  },
  signIn: trueOr(signIn),
});

function trueOr(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { anyOf: [{ const: true }, { type: "object", properties }] };
}

/** The schemas of the options that a file can give too. */
export const serverSchemas = {
  stdio: { type: "object", properties: { ...stdio, ...offer } },
  http: { type: "object", properties: { ...http, ...offer } },
} satisfies Record<string, JsonSchema>;

/** The keys of a server's options, for a program and for an address together. */
export const serverKeys = keysOfProperties({
  ...stdio,
  ...http,
  signIn: trueOr({ ...signIn, open: {} }),
  authProvider: {},
  ...offer,
});

export function isStdio(options: McpServerOptions): options is StdioServerOptions {
  return "command" in options;
}
