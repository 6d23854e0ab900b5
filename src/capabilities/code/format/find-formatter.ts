import { dirname, extname, join } from "node:path";
import { isFulfilled } from "../../../shared/maybe-promise.ts";
import { relativeInside } from "../../../shared/relative-inside.ts";
import type { FileReading } from "../../../tool/services/files.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { type Formatter, formatters } from "./formatters.ts";

type Reading = Pick<FileReading, "list" | "readText" | "describe">;

/** The formatter whose configuration is nearest to a file, in its folder or above it, within the workspace. */
export async function findFormatter(file: string, { root, files }: { root: string; files: Reading }) {
  const ending = extname(file).slice(1).toLowerCase();
  const fitting = formatters.filter(({ endings }) => endings.includes(ending));
  const folders = foldersAbove(file, root);
  for (const folder of folders) {
    const names = await namesIn(folder, files);
    for (const formatter of fitting) {
      if (!(await isConfigured(formatter, { folder, names, files }))) continue;
      // It runs where its configuration is.
      const program = await programOf(formatter, folders.slice(folders.indexOf(folder)), files);
      return { formatter, folder, program };
    }
  }
  const known = fitting.map(({ name }) => name);
  throw new ToolError(
    "unsupported",
    `the project has no formatter that is configured for ${ending === "" ? "this file" : `.${ending} files`}`,
    {
      hint:
        known.length === 0
          ? "No formatter for this kind of file is known here."
          : `A configuration of ${known.join(", ")} in the file's folder or above it would be found.`,
    },
  );
}

function foldersAbove(file: string, root: string): string[] {
  const folders = [dirname(file)];
  while (folders.at(-1) !== root && relativeInside(root, folders.at(-1)!) !== undefined)
    folders.push(dirname(folders.at(-1)!));
  return folders;
}

async function namesIn(folder: string, files: Reading): Promise<ReadonlySet<string>> {
  const { entries } = await files.list(folder, { maxEntries: 10_000 });
  return new Set(entries.map(({ name }) => name));
}

async function isConfigured(
  { configs }: Formatter,
  { folder, names, files }: { folder: string; names: ReadonlySet<string>; files: Reading },
): Promise<boolean> {
  for (const config of configs) {
    if (typeof config === "string") {
      if (names.has(config)) return true;
    } else if (names.has(config.file)) {
      const { text } = await files.readText(join(folder, config.file), { maxBytes: 1_000_000 });
      if (config.has.test(text)) return true;
    }
  }
  return false;
}

/**
 * The program, as a command names it. A package's is looked for as Node would: in the folder of the configuration, then
 * above it.
 */
async function programOf(
  { name, isPackage }: Formatter,
  folders: readonly string[],
  files: Reading,
): Promise<string> {
  if (!isPackage) return name;
  for (const folder of folders) {
    const program = join(folder, "node_modules/.bin", name);
    if (await isFulfilled(files.describe(program))) return program;
  }
  throw notInstalled(name);
}

export function notInstalled(name: string): ToolError {
  return new ToolError("unavailable", `the project is configured for ${name}, which is not installed`, {
    hint: "Install the project's tools first.",
  });
}
