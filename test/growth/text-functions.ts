import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { projectFolder } from "../architecture/project-files.ts";
import { adapters } from "./adapters.ts";
import { findTextFunctions, type TextFunction } from "./exported-functions.ts";
import { givenValues } from "./given-values.ts";
import { folderReasons, reasons } from "./reasons.ts";

/** All functions that take text, but for those of folders that have a reason. */
export const textFunctions = (await findTextFunctions()).filter(
  ({ file, name }) =>
    Object.hasOwn(adapters, name) || !Object.keys(folderReasons).some((folder) => file.startsWith(folder)),
);
export const isTested = ({ name, takesAlone }: TextFunction) =>
  (takesAlone !== undefined && !Object.hasOwn(reasons, name)) || Object.hasOwn(adapters, name);

type Module = Readonly<Record<string, (...values: unknown[]) => unknown>>;

/** Calls a function with a text. A refusal is an answer too. */
export async function callerOf({
  file,
  name,
  takesAlone = "text",
}: TextFunction): Promise<(text: string) => Promise<void>> {
  const module = (await import(pathToFileURL(join(projectFolder, "src", file)).href)) as Module;
  const call = module[name]!;
  const adapter = adapters[name] ?? ((run, text) => givenValues[takesAlone](text).map((value) => run(value)));
  return async (text) => {
    try {
      const answer = adapter(call, text);
      if (answer instanceof Promise) await answer;
      // Many functions answer with millions of lines, and waiting for each of those takes minutes.
      if (Array.isArray(answer)) await Promise.allSettled(answer.filter((each) => each instanceof Promise));
    } catch {
      // Only the time that it took counts.
    }
  };
}
