import { isPlainObject } from "../../shared/json.ts";
import { closeSchema } from "../../shared/json-schema/close-schema.ts";
import { compileSchema } from "../../shared/json-schema/compile-schema.ts";
import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";
import { refuseUnknownKeys } from "../../shared/options/refuse-unknown-keys.ts";
import { findVariables } from "./find-variables.ts";
import { type McpServerOptions, serverKeys } from "./server-options.ts";

/** Throws for options that could not work; the message names the server. */
export function checkServerOptions(name: string, options: unknown): asserts options is McpServerOptions {
  if (!isPlainObject(options)) throw new TypeError(`MCP server ${name}: the options must be an object`);
  refuseUnknownKeys(options, serverKeys, `MCP server ${name}`);
  const { authProvider, ...given } = options;
  const data = withoutOpen(given);
  const isStdio = "command" in data;
  if (isStdio === "url" in data) {
    throw new TypeError(`MCP server ${name}: set either "command" (a program to start) or "url"`);
  }
  const validation = (isStdio ? checkStdio : checkHttp)()(data);
  if (!validation.ok) {
    const problems = validation.issues.map(({ message }) => message).join("; ");
    throw new TypeError(`MCP server ${name}: ${problems}`);
  }
  if (authProvider !== undefined && (isStdio || typeof authProvider !== "object")) {
    throw new TypeError(`MCP server ${name}: authProvider must be an object, and only works with a url`);
  }
  if (!isStdio) checkAddress(name, String(data.url));
  const { signIn } = data;
  if (isPlainObject(signIn) && signIn.clientSecret !== undefined && signIn.issuer === undefined) {
    throw new TypeError(
      `MCP server ${name}: signIn.clientSecret needs signIn.issuer, the authorization server that it is for`,
    );
  }
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
            issuer: text,
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

// Only where servers are configured, and once for all of them.
const checkStdio = once(() => compileSchema(closeSchema(stdioSchema)));
const checkHttp = once(() => compileSchema(closeSchema(httpSchema)));

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function checkAddress(name: string, address: string): void {
  const url = URL.parse(address);
  // A URL with a variable is checked again once the variable is expanded.
  if (!findVariables(address).next().done) return;
  if (url?.protocol === "https:" || url?.protocol === "http:") return;
  throw new TypeError(`MCP server ${name}: ${JSON.stringify(address)} is not an http or https URL`);
}
