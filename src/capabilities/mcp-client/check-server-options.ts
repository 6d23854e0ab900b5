import { isPlainObject } from "../../shared/json.ts";
import { closeSchema } from "../../shared/json-schema/close-schema.ts";
import { compileSchema } from "../../shared/json-schema/compile-schema.ts";
import { once } from "../../shared/once.ts";
import { refuseUnknownKeys } from "../../shared/options/refuse-unknown-keys.ts";
import { findVariables } from "./expand-options.ts";
import { type McpServerOptions, serverKeys, serverSchemas } from "./server-options.ts";

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

// Only where servers are configured, and once for all of them.
const checkStdio = once(() => compileSchema(closeSchema(serverSchemas.stdio)));
const checkHttp = once(() => compileSchema(closeSchema(serverSchemas.http)));

function checkAddress(name: string, address: string): void {
  const url = URL.parse(address);
  // A URL with a variable is checked again once the variable is expanded.
  if (!findVariables(address).next().done) return;
  if (url?.protocol === "https:" || url?.protocol === "http:") return;
  throw new TypeError(`MCP server ${name}: ${JSON.stringify(address)} is not an http or https URL`);
}
