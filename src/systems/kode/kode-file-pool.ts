import { isPlainObject } from "../../shared/json.ts";
import { defined } from "../../shared/options/defined.ts";
import type { ToolContext } from "../../tool/tool-context.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { KodeFilePool, KodeFreshness, KodeSandbox } from "./kode-types.ts";

interface FileRecord {
  readonly version: string;
  readonly mtime?: number;
  readonly lastRead?: number;
  readonly lastEdit?: number;
}

/** The files that a tool itself recorded. The runtime also knows the files that each call has read, and refuses stale writes. */
export function createKodeFilePool(
  { files, variables }: Pick<ToolContext, "files" | "variables">,
  { fs }: Pick<KodeSandbox, "fs">,
): KodeFilePool {
  const keyOf = (path: string) => `${prefix}${fs.resolve(path)}`;
  const recordOf = (path: string): FileRecord | undefined => {
    const kept = variables.get(keyOf(path));
    return isPlainObject(kept) ? (kept as unknown as FileRecord) : undefined;
  };
  const mtimeOf = (path: string) =>
    fs.stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => undefined,
    );
  /** A file's version: by its content, or by its time if it is not text. */
  const versionOf = async (path: string): Promise<string> => {
    try {
      return (await files.readText(path)).hash;
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      return error.code === "not-found" ? "no file" : `changed ${await mtimeOf(path)}`;
    }
  };
  const record = async (path: string, what: "lastRead" | "lastEdit") => {
    const mtime = await mtimeOf(path);
    const made = { ...recordOf(path), version: await versionOf(path), [what]: Date.now() };
    variables.set(keyOf(path), { ...made, ...defined({ mtime }) });
  };
  const freshness = async (path: string, isFreshUnseen: boolean): Promise<KodeFreshness> => {
    const [known, version, currentMtime] = [recordOf(path), await versionOf(path), await mtimeOf(path)];
    return {
      isFresh: known === undefined ? isFreshUnseen : known.version === version,
      ...defined({ lastRead: known?.lastRead, lastEdit: known?.lastEdit, currentMtime }),
    };
  };
  const tracked = () =>
    [...variables.keys()].filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
  return {
    recordRead: (path) => record(path, "lastRead"),
    recordEdit: (path) => record(path, "lastEdit"),
    validateWrite: (path) => freshness(path, true),
    checkFreshness: (path) => freshness(path, false),
    getTrackedFiles: tracked,
    getAccessedFiles: () =>
      tracked().flatMap((path) => {
        const { mtime } = recordOf(path) ?? {};
        return mtime === undefined ? [] : [{ path, mtime }];
      }),
  };
}

const prefix = "kode.file ";
