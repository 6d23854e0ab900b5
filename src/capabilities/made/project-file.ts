import { lstat, mkdir, readdir, readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { writeAside } from "../../shared/files/write-aside.ts";
import { isPlainObject } from "../../shared/json.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { madeToolsFolder } from "./made-places.ts";
import type { MadeVersion } from "./made-records.ts";

export function projectFile(root: string, name: string): string {
  return join(madeToolsFolder(root), `${name}.json`);
}

/** A version as the project keeps it. The code is a list of lines, so that a review shows the changes. */
export function formatVersion({ tool, version, madeBy, madeAt }: MadeVersion): string {
  const { code, ...others } = tool;
  const file = { version, madeBy, madeAt, ...others, code: code.split("\n") };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

/** Reads the version in a file, unchecked: any person or program may have written the file. */
export function parseVersion(text: string) {
  const file: unknown = JSON.parse(text);
  if (!isPlainObject(file) || !Array.isArray(file.code)) throw new Error("this is not a made tool");
  const { version, madeBy, madeAt, code, ...others } = file;
  return {
    tool: { ...others, code: code.join("\n") } as unknown,
    version: typeof version === "number" ? version : 1,
    madeBy: String(madeBy),
    madeAt: String(madeAt),
  };
}

export async function writeVersion(root: string, version: MadeVersion): Promise<void> {
  await refuseLinks(root);
  const file = projectFile(root, version.tool.name);
  await mkdir(madeToolsFolder(root), { recursive: true });
  await writeAside(file, formatVersion(version), { mode: 0o666 });
}

/** The texts of the project's made tools, by name. */
export async function readVersions(root: string): Promise<ReadonlyMap<string, string>> {
  const folder = madeToolsFolder(root);
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".json"));
  const found = new Map<string, string>();
  for (const name of names.slice(0, maxFiles)) {
    const status = await lstat(join(folder, name)).catch(() => undefined);
    if (!status?.isFile() || status.size > maxFileBytes) continue;
    found.set(name.slice(0, -".json".length), await readFile(join(folder, name), "utf8"));
  }
  return found;
}

const maxFiles = 500;
const maxFileBytes = 2 ** 20;

/** A link would have us write wherever it leads. */
async function refuseLinks(root: string): Promise<void> {
  const folder = madeToolsFolder(root);
  for (const each of [dirname(folder), folder]) {
    const status = await lstat(each).catch(() => undefined);
    if (status !== undefined && !status.isDirectory())
      throw new ToolError("conflict", `${relative(root, each)} is not a folder`);
  }
}
