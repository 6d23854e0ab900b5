import { defined } from "../../shared/options/defined.ts";
import { mapValues } from "../../shared/options/option.ts";
import { isStdio, type McpServerOptions } from "./server-options.ts";

/** Replaces `${NAME}` and `${NAME:-default}` with the values of environment variables. */
export function expandOptions(options: McpServerOptions, environment: NodeJS.ProcessEnv): McpServerOptions {
  const expand = (text: string) => expandVariables(text, environment);
  if (isStdio(options)) {
    const { command, args, env, cwd } = options;
    const others = { args: args?.map(expand), env: env && mapValues(env, expand), cwd: cwd && expand(cwd) };
    return { ...options, command: expand(command), ...defined(others) };
  }
  const { url, headers } = options;
  return { ...options, url: expand(url), ...defined({ headers: headers && mapValues(headers, expand) }) };
}

function expandVariables(text: string, environment: NodeJS.ProcessEnv): string {
  let expanded = "";
  let done = 0;
  for (const { name, otherwise, start, end } of findVariables(text)) {
    const value = environment[name] ?? otherwise;
    if (value === undefined) throw new TypeError(`the environment variable ${name} is not set`);
    expanded += text.slice(done, start) + value;
    done = end;
  }
  return expanded + text.slice(done);
}

/**
 * Finds all variables in order, each from its `start` to its `end`: `${NAME}`, and `${NAME:-otherwise}`. A single expression
 * would search for an end again from every beginning in the text.
 */
export function* findVariables(text: string) {
  let next = 0;
  for (let start = text.indexOf("${"); start !== -1; start = text.indexOf("${", next)) {
    beginning.lastIndex = start;
    const [begun = "", name = "", mark] = beginning.exec(text) ?? [];
    next = start + Math.max(begun.length, 2);
    if (begun === "" || mark === "}") {
      if (mark === "}") yield { name, otherwise: undefined, start, end: next };
      continue;
    }
    const end = text.indexOf("}", next);
    if (end === -1) return;
    yield { name, otherwise: text.slice(next, end), start, end: end + 1 };
    next = end + 1;
  }
}

const beginning = /\$\{([A-Za-z_][A-Za-z0-9_]*)(\}|:-)/y;
