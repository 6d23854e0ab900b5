import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { projectFolder } from "../architecture/project-files.ts";
import { adapters } from "./adapters.ts";
import { findTextFunctions, type TextFunction } from "./exported-functions.ts";
import { folderReasons, reasons } from "./reasons.ts";

/** Whatever reads text that somebody else wrote: a model, a repository, a web page, a server. */
const folders = [
  "interop/streams",
  "mcp/client/approval",
  "mcp/client/call",
  "mcp/client/catalogue",
  "runtime/policy/commands",
  "runtime/policy/hosts",
  "runtime/policy/rules",
  "runtime/services/databases",
  "runtime/diagnostics",
  "runtime/services/files/diff",
  "runtime/services/files/edit",
  "runtime/services/files/encoding",
  "runtime/services/files/fit",
  "runtime/services/files/patch",
  "runtime/services/search",
  "runtime/services/web",
  "runtime/shell-syntax",
  "runtime/tool-search",
  "shared",
  "tool",
];

/** All functions of these folders that take text. */
export const textFunctions = (await Promise.all(folders.map(findTextFunctions)))
  .flat()
  .filter(({ file }) => !Object.keys(folderReasons).some((folder) => file.startsWith(folder)));
export const isTested = ({ name, takesTextAlone }: TextFunction) =>
  (takesTextAlone && !Object.hasOwn(reasons, name)) || Object.hasOwn(adapters, name);

type Module = Readonly<Record<string, (...values: unknown[]) => unknown>>;

/** Calls a function with a text. A refusal is an answer too. */
export async function callerOf({ file, name }: TextFunction): Promise<(text: string) => Promise<void>> {
  const module = (await import(pathToFileURL(join(projectFolder, "src", file)).href)) as Module;
  const call = module[name]!;
  const adapter = adapters[name] ?? ((run, text) => run(text));
  return async (text) => {
    try {
      const answer = adapter(call, text);
      if (answer instanceof Promise) await answer;
      if (Array.isArray(answer)) await Promise.allSettled(answer);
    } catch {
      // Only the time that it took counts.
    }
  };
}
