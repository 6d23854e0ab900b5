import { isPlainObject } from "../../shared/json.ts";
import { closeSchema } from "../../shared/json-schema/close-schema.ts";
import { compileSchema } from "../../shared/json-schema/compile-schema.ts";
import { once } from "../../shared/once.ts";
import { refuseUnknownKeys } from "../../shared/options/refuse-unknown-keys.ts";
import { findVariables } from "./expand-options.ts";
import { type McpServerOptions, serverKeys, serverSchemas } from "./server-options.ts";

/** Throws for options that could not work; the message names the server. */
export function checkServerOptions(name: string, options: unknown): asserts options is McpServerOptions {
  const who = `MCP server ${name}`;
  if (!isPlainObject(options)) throw new TypeError(`${who}: the options must be an object`);
  refuseUnknownKeys(options, serverKeys, who);
  const problem = findProblem(options);
  if (problem !== undefined) throw new TypeError(`${who}: ${problem}`);
}

function findProblem({ authProvider, ...given }: Record<string, unknown>): string | undefined {
  const data = withoutOpen(given);
  const isStdio = "command" in data;
  if (isStdio === "url" in data) return 'set either "command" (a program to start) or "url"';
  const validation = (isStdio ? checkStdio : checkHttp)()(data);
  if (!validation.ok) return validation.issues.map(({ message }) => message).join("; ");
  if (authProvider !== undefined && (isStdio || typeof authProvider !== "object"))
    return "authProvider must be an object, and only works with a url";
  const { signIn, url } = data;
  if (!isStdio && !isWebAddress(String(url))) return `${JSON.stringify(url)} is not an http or https URL`;
  return isPlainObject(signIn) && signIn.clientSecret !== undefined && signIn.issuer === undefined
    ? "signIn.clientSecret needs signIn.issuer, the authorization server that it is for"
    : undefined;
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

/** A URL with a variable is checked again once the variable is expanded. */
function isWebAddress(address: string): boolean {
  const { protocol } = URL.parse(address) ?? {};
  return protocol === "https:" || protocol === "http:" || !findVariables(address).next().done;
}
