import { findVariables } from "./find-variables.ts";
import { isStdio, type McpServerOptions } from "./server-options.ts";

/** Replaces `${NAME}` and `${NAME:-default}` with the values of environment variables. */
export function expandOptions(options: McpServerOptions, environment: NodeJS.ProcessEnv): McpServerOptions {
  const expand = (text: string) => expandVariables(text, environment);
  const expandAll = (values: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, expand(value)]));
  if (isStdio(options)) {
    const { command, args, env, cwd } = options;
    return {
      ...options,
      command: expand(command),
      ...(args && { args: args.map(expand) }),
      ...(env && { env: expandAll(env) }),
      ...(cwd !== undefined && { cwd: expand(cwd) }),
    };
  }
  const { url, headers } = options;
  return { ...options, url: expand(url), ...(headers && { headers: expandAll(headers) }) };
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
