import type { AuthProvider, OAuthClientProvider } from "@modelcontextprotocol/client";
import { isPlainObject } from "../../shared/json.ts";
import { closeSchema } from "../../shared/json-schema/close-schema.ts";
import { compileSchema } from "../../shared/json-schema/compile-schema.ts";
import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";

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
   * Which arguments of its tools are paths, and what the tool does with them, so that rules on paths bind them. By the
   * server's own tool names; `*` matches anything: `{ "read_*": { "path": "read" } }`.
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
  /** For authorization servers that read a client's metadata document. */
  readonly clientMetadataUrl?: string;
  readonly scope?: string;
  /** Local port that the browser is redirected to. Default: any free one. */
  readonly port?: number;
  /** Called with the URL that a person has to open; only in code. */
  readonly open?: (url: URL) => void;
}

/** Throws for options that could not work; the message names the server. */
export function checkServerOptions(name: string, options: unknown): asserts options is McpServerOptions {
  if (!isPlainObject(options)) throw new TypeError(`MCP server ${name}: the options must be an object`);
  const { authProvider, ...given } = options;
  const data = withoutOpen(given);
  const isStdio = "command" in data;
  if (isStdio === "url" in data) {
    throw new TypeError(`MCP server ${name}: set either "command" (a program to start) or "url"`);
  }
  const validation = compileSchema(closeSchema(isStdio ? stdioSchema : httpSchema))(data);
  if (!validation.ok) {
    const problems = validation.issues.map(({ message }) => message).join("; ");
    throw new TypeError(`MCP server ${name}: ${problems}`);
  }
  if (authProvider !== undefined && (isStdio || typeof authProvider !== "object")) {
    throw new TypeError(`MCP server ${name}: authProvider must be an object, and only works with a url`);
  }
  if (!isStdio) checkAddress(name, String(data.url));
}

/** A function cannot be checked by a schema. */
function withoutOpen(options: Record<string, unknown>): Record<string, unknown> {
  if (!isPlainObject(options.signIn) || typeof options.signIn.open !== "function") return options;
  const { open: _open, ...signIn } = options.signIn;
  return { ...options, signIn };
}

const text: JsonSchema = { type: "string", minLength: 1 };
const texts: JsonSchema = { type: "array", items: text };
const textMap: JsonSchema = { type: "object", additionalProperties: { type: "string" } };
const milliseconds: JsonSchema = { type: "integer", minimum: 1 };

const offer = {
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
} as const satisfies Record<string, JsonSchema>;

const stdioSchema: JsonSchema = {
  type: "object",
  properties: {
    type: { const: "stdio" },
    command: text,
    args: { type: "array", items: { type: "string" } },
    env: textMap,
    passEnvironment: texts,
    cwd: text,
    ...offer,
  },
};

const httpSchema: JsonSchema = {
  type: "object",
  properties: {
    type: { enum: ["http", "sse"] },
    url: text,
    headers: textMap,
    oauth: {
      type: "object",
      properties: { clientId: text, clientSecret: text, issuer: text, scope: text },
      required: ["clientId", "clientSecret", "issuer"],
    },
    signIn: {
      anyOf: [
        { const: true },
        {
          type: "object",
          properties: {
            clientId: text,
            clientSecret: text,
            clientMetadataUrl: text,
            scope: text,
            port: { type: "integer", minimum: 1, maximum: 65_535 },
          },
        },
      ],
    },
    ...offer,
  },
};

/** The keys that are read from a server's entry in a file; other programs may keep more there. */
export const knownKeys: ReadonlySet<string> = new Set([
  ...Object.keys(stdioSchema.properties ?? {}),
  ...Object.keys(httpSchema.properties ?? {}),
]);

function checkAddress(name: string, address: string): void {
  const url = URL.parse(address);
  // A URL with a variable is checked again once the variable is expanded.
  if (/\$\{\w+(?::-[^}]*)?\}/.test(address)) return;
  if (url?.protocol === "https:" || url?.protocol === "http:") return;
  throw new TypeError(`MCP server ${name}: ${JSON.stringify(address)} is not an http or https URL`);
}

export function isStdio(options: McpServerOptions): options is StdioServerOptions {
  return "command" in options;
}
