import type { AuthProvider, OAuthClientProvider } from "@modelcontextprotocol/client";
import { isPlainObject } from "../../shared/json.ts";
import { closeSchema } from "../../shared/json-schema/close-schema.ts";
import { compileSchema } from "../../shared/json-schema/compile-schema.ts";
import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";

/**
 * How one MCP server is reached, and what of it is offered. In what it is started or reached with, `${NAME}` stands for
 * a variable of this process, so that a secret need not be written down.
 */
export type McpServerOptions = StdioServerOptions | HttpServerOptions;

export interface OfferOptions {
  /** False keeps it from being started. */
  readonly enabled?: boolean;
  /** Only these of its tools, by its own names for them; `*` stands for anything. */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** How long a call of one of its tools may take. */
  readonly timeoutMs?: number;
  /** How long it may take until it can be called, a minute by default. */
  readonly connectTimeoutMs?: number;
}

/** A program that speaks over its standard input and output. It is started as it stands here, without a shell. */
export interface StdioServerOptions extends OfferOptions {
  readonly type?: "stdio";
  readonly command: string;
  readonly args?: readonly string[];
  /** Variables it gets besides the usual few, with their values. */
  readonly env?: Readonly<Record<string, string>>;
  /** Variables of this process that it gets too, by name. */
  readonly passEnvironment?: readonly string[];
  /** Relative to the workspace, which is the default. */
  readonly cwd?: string;
}

export interface HttpServerOptions extends OfferOptions {
  /** Streamable HTTP by default, and the older SSE where a server turns out to know nothing else. */
  readonly type?: "http" | "sse";
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Machine to machine; the secret goes to this issuer and to nobody else. */
  readonly oauth?: {
    readonly clientId: string;
    readonly clientSecret: string;
    readonly issuer: string;
    readonly scope?: string;
  };
  /** Lets a person sign in with a browser; where to is told by the server's status. What comes of it is kept. */
  readonly signIn?: true | SignInOptions;
  /** Gets the tokens by whatever way, as the official SDK describes it; only code can give one. */
  readonly authProvider?: AuthProvider | OAuthClientProvider;
}

export interface SignInOptions {
  /** For where a client has to be registered by hand. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** For where a client is described by a document at an address. */
  readonly clientMetadataUrl?: string;
  readonly scope?: string;
  /** Where on this machine the browser is sent back to; a free one by default. */
  readonly port?: number;
  /** Called with the address that somebody has to open; only code can give one. */
  readonly open?: (url: URL) => void;
}

/** Refuses what could not work, by the server's name. */
export function checkServerOptions(name: string, options: unknown): asserts options is McpServerOptions {
  if (!isPlainObject(options)) throw new TypeError(`MCP server ${name}: its options must be an object`);
  const { authProvider, ...given } = options;
  const data = withoutOpen(given);
  const isStdio = "command" in data;
  if (isStdio === "url" in data) {
    throw new TypeError(`MCP server ${name}: give either a command to start or a url to connect to`);
  }
  const validation = compileSchema(closeSchema(isStdio ? stdioSchema : httpSchema))(data);
  if (!validation.ok) {
    const problems = validation.issues.map(({ message }) => message).join("; ");
    throw new TypeError(`MCP server ${name}: ${problems}`);
  }
  if (authProvider !== undefined && (isStdio || typeof authProvider !== "object")) {
    throw new TypeError(`MCP server ${name}: authProvider is an object, for a server with a url`);
  }
  if (!isStdio) checkAddress(name, String(data.url));
}

/** What is a function cannot be checked as data. */
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

/** The names that a file may use for a server, whatever else another program keeps beside them. */
export const knownKeys: ReadonlySet<string> = new Set([
  ...Object.keys(stdioSchema.properties ?? {}),
  ...Object.keys(httpSchema.properties ?? {}),
]);

function checkAddress(name: string, address: string): void {
  const url = URL.parse(address);
  // With a variable in it, it is looked at again when that is filled in.
  if (/\$\{\w+(?::-[^}]*)?\}/.test(address)) return;
  if (url?.protocol === "https:" || url?.protocol === "http:") return;
  throw new TypeError(`MCP server ${name}: ${JSON.stringify(address)} is not an http or https address`);
}

export function isStdio(options: McpServerOptions): options is StdioServerOptions {
  return "command" in options;
}
