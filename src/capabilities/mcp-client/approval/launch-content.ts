import { sha256 } from "../../../shared/crypto.ts";
import { isPlainObject } from "../../../shared/json.ts";
import { isStdio, type McpServerOptions } from "../server-options.ts";
import type { PinContent } from "./pin-file.ts";

/**
 * A server's configuration, to be approved and compared. Values from code may be secrets and are shown only as a hash;
 * values from a file must be visible to the person who approves them.
 */
export function launchContent(
  options: McpServerOptions,
  { showsValues }: { showsValues: boolean },
): PinContent {
  const text = JSON.stringify(
    isStdio(options)
      ? {
          command: options.command,
          args: options.args ?? [],
          env: showsValues ? sortEntries(options.env) : hideValues(options.env),
          passEnvironment: [...(options.passEnvironment ?? [])].sort(),
          cwd: options.cwd ?? ".",
          // Without them, rules on paths bind its tools no longer.
          paths: showsValues ? options.paths : undefined,
        }
      : {
          url: options.url,
          type: options.type ?? "http",
          headers: showsValues ? sortEntries(options.headers) : Object.keys(options.headers ?? {}).sort(),
          signIn:
            showsValues && isPlainObject(options.signIn) ? options.signIn : options.signIn !== undefined,
          issuer: typeof options.signIn === "object" ? options.signIn.issuer : undefined,
          oauth: showsValues ? options.oauth : options.oauth?.issuer,
          paths: showsValues ? options.paths : undefined,
        },
    undefined,
    2,
  );
  return { text, hash: sha256(text) };
}

function sortEntries(values: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function hideValues(values: Readonly<Record<string, string>> = {}): Record<string, string> {
  const hidden = Object.entries(values).map(([name, value]) => [name, `sha256 ${sha256(value)}`] as const);
  return sortEntries(Object.fromEntries(hidden));
}
