import { quoteWord } from "../../../shared/text/quote-controls.ts";
import { actingCommands, type CommandVerdict, type Verdict } from "../verdict.ts";
import { runsOtherPrograms } from "./too-wide.ts";

/**
 * Allow rules that say what a person is asked about and no more: the exact command, path or host, or the tool of a server.
 * Undefined where no rule can: a program that runs its arguments would do something else the next time.
 */
export function suggestRules(
  {
    tool,
    runsCommands,
    isOfServer,
  }: { readonly tool: string; readonly runsCommands: boolean; readonly isOfServer: boolean },
  { commands, effects }: Verdict,
): readonly string[] | undefined {
  const acting = actingCommands(commands);
  if (acting.length > 0) return allOrNone(acting.map((command) => commandRule(tool, command)));
  const { reads, writes, runs, hosts, opaque } = effects;
  if (runsCommands || runs.length > 0) return undefined;
  if (opaque) return [tool];
  // Its host would stand for all of the server's tools, and for every other way to reach it.
  if (isOfServer) return reads.length + writes.length > 0 ? undefined : [tool];
  const found = allOrNone([
    ...reads.map((path) => pathRule("@read", path)),
    ...writes.map((path) => pathRule("@write", path)),
    ...hosts.map((host) => (plainHost.test(host) ? `@network(domain:${host})` : undefined)),
  ]);
  return found?.length === 0 ? [tool] : found;
}

function commandRule(tool: string, { parsed }: CommandVerdict): string | undefined {
  if (parsed?.name === undefined || parsed.omittedArgs !== undefined) return undefined;
  const { name, args, wrappers, environment, redirects } = parsed;
  const isBare = wrappers.length + redirects.length + Object.keys(environment).length === 0;
  const words = [name, ...args];
  if (!isBare || runsOtherPrograms(words) || words.some((word) => unclear.test(word))) return undefined;
  return `${tool}(${words.map(quoteWord).join(" ")})`;
}

/** From the workspace's root; other signs would make it a pattern. */
function pathRule(action: "@read" | "@write", path: string): string | undefined {
  if (!plainPath.test(path)) return undefined;
  // A path that begins at the root of the disk gets a second slash.
  return `${action}(/${path})`;
}

function allOrNone(rules: readonly (string | undefined)[]): readonly string[] | undefined {
  const known = rules.filter((rule) => rule !== undefined);
  return known.length === rules.length ? [...new Set(known)] : undefined;
}

const plainPath = /^[\p{L}\p{N}_./@+-][\p{L}\p{N}_./@+ -]*$/u;
const plainHost = /^[\w.-]+(?::\d+)?$/;
/** A star would be a pattern, a quote or backslash would have to be written in another way, a line break is hard to see. */
const unclear = /[*"'\\\p{Cc}]/u;
