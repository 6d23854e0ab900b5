import { basename, dirname, join, relative, resolve } from "node:path";
import { compileGlob } from "../../shared/glob/compile-glob.ts";
import { isPlainObject } from "../../shared/json.ts";
import { newId } from "../../shared/new-id.ts";
import { defined } from "../../shared/options/defined.ts";
import { relativeInside } from "../../shared/relative-inside.ts";
import type { ToolContext } from "../../tool/tool-context.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { KodeFilePool, KodeFreshness, KodeSandbox } from "./kode-types.ts";

const maxFound = 10_000;
const maxListed = 100_000;

/** KODE's sandbox, made of the services of a call. */
export function createKodeSandbox(
  context: Pick<ToolContext, "files" | "search" | "processes" | "workspace">,
): KodeSandbox {
  const { files, search, processes, workspace: workDir } = context;
  const resolvePath = (path: string) => resolve(workDir, path);
  return {
    kind: "local",
    workDir,
    fs: {
      resolve: resolvePath,
      isInside: (path) => relativeInside(workDir, resolvePath(path)) !== undefined,
      read: async (path) => (await files.readText(path)).text,
      async write(path, content) {
        await files.writeText(path, content);
      },
      temp: (name = newId("temp")) => join(".temp", name),
      async stat(path) {
        const { entries } = await files.list(dirname(path), { maxEntries: maxListed });
        const entry = entries.find(({ name }) => name === basename(path));
        if (entry === undefined) throw new ToolError("not-found", `${path} does not exist`);
        return { mtimeMs: Date.parse(entry.modifiedAt) };
      },
      async glob(pattern, { cwd = ".", ignore = [], dot = false, absolute = false } = {}) {
        const { files: found } = await search.glob({ pattern, path: cwd, maxFiles: maxFound });
        const folder = resolvePath(cwd);
        const tests = ignore.map((each) => compileGlob(each));
        const isShown = (path: string) => {
          const below = relative(folder, path);
          return (dot || !isHidden(below)) && !tests.some((test) => test(below));
        };
        const paths = found.map(({ path }) => resolvePath(path)).filter(isShown);
        return absolute ? paths : paths.map((path) => relative(workDir, path));
      },
    },
    async exec(command, { timeoutMs } = {}) {
      const options = { directory: workDir, ...defined({ backgroundAfterMs: timeoutMs }) };
      const { exitCode, stdout, stderr, job } = await processes.run(command, options);
      if (job === undefined) return { code: exitCode ?? 1, stdout, stderr };
      await processes.kill(job.id);
      const why = `the command was stopped after ${timeoutMs} ms\n`;
      return { code: timedOutCode, stdout, stderr: `${stderr}${why}` };
    },
  };
}

/** The exit code of the shell's `timeout`. */
const timedOutCode = 124;

function isHidden(path: string): boolean {
  return path.split("/").some((part) => part.startsWith("."));
}

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
