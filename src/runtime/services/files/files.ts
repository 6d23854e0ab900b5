import type { Files } from "../../../tool/services/files.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { outside } from "../../policy/paths/open-contained.ts";
import type { PathKind, ResolveOptions, Walked } from "../../policy/paths/walk-path.ts";
import type { Roots } from "../../policy/paths/workspace-roots.ts";
import type { Changing } from "./change/changing.ts";
import { copyPath } from "./change/copy-path.ts";
import { editTexts } from "./change/edit-texts.ts";
import { makeFolder } from "./change/make-folder.ts";
import { movePath } from "./change/move-path.ts";
import { type LocatedChange, patchFiles } from "./change/patch-files.ts";
import type { PathLocks } from "./change/path-locks.ts";
import { removePath } from "./change/remove-path.ts";
import { updateText, writeText } from "./change/write-text.ts";
import type { FileScope, TouchAction } from "./file-scope.ts";
import { openScope } from "./open-scope.ts";
import { type PatchedChange, parsePatch } from "./patch/patch-format.ts";
import { classifyContent, readFileHead } from "./read/classify-content.ts";
import { listDirectory } from "./read/list-directory.ts";
import { readLineWindow } from "./read/read-line-window.ts";
import { readText } from "./read/read-text.ts";
import { readWhole } from "./read/read-whole.ts";
import { suggestSiblings } from "./read/suggest-siblings.ts";
import { bytesAsSource } from "./tree/byte-source.ts";
import type { FileChange } from "./undo/file-change.ts";
import { revertChanges } from "./undo/revert-changes.ts";

export interface FilesOptions {
  readonly roots: Roots;
  readonly locks: PathLocks;
  readonly scope: FileScope;
  readonly changing: Changing;
  walk(path: string, options?: ResolveOptions): Promise<Walked>;
}

// Read whole, which takes a few milliseconds and tells how many lines there are and what the content's hash is.
const maxSmallBytes = 4 * 2 ** 20;

/** The files of one call: every access resolves, opens contained and ends with the call's signal. */
export function createFiles({ roots, locks, scope, changing, walk }: FilesOptions): Omit<Files, "preview"> {
  const { signal, requireReadBeforeWrite } = scope;
  const { tree, freshness, nameOf } = changing;

  const admit = async (actions: readonly TouchAction[], canonical: string): Promise<void> => {
    for (const action of actions) await scope.admit?.(action, canonical);
  };

  const locate = async (path: string, kind: "file" | "directory"): Promise<string> => {
    signal.throwIfAborted();
    const reached = await walk(path);
    if (!roots.mayRead(reached.canonical)) throw outside(path);
    await admit([kind === "file" ? "read" : "list"], reached.canonical);
    if (reached.kind === "missing") throw await notFound(path, reached.canonical, roots);
    if (reached.kind !== kind) throw unexpectedKind(path, reached.kind);
    return reached.canonical;
  };

  /** Where a change would be made. */
  const locateWritable = async (
    path: string,
    { actions = ["write"], ...options }: ResolveOptions & Touch = {},
  ): Promise<Walked> => {
    signal.throwIfAborted();
    const reached = await walk(path, options);
    if (!roots.contains(reached.canonical)) throw outside(path);
    await admit(actions, reached.canonical);
    if (reached.kind === "special") throw unexpectedKind(path, reached.kind);
    return reached;
  };
  const locateForText = async (path: string, touch?: Touch): Promise<Walked> => {
    const reached = await locateWritable(path, touch);
    if (reached.kind === "directory") throw unexpectedKind(path, reached.kind);
    if (path.endsWith("/")) throw new ToolError("is-directory", `${path} names a folder, not a file`);
    return reached;
  };
  /** Something that is there and not a root: it, not what it links to, is about to go. */
  const locateMovable = async (path: string, touch?: Touch): Promise<string> => {
    const { canonical, kind } = await locateWritable(path, { ...touch, followLast: false });
    if (kind === "missing") throw await notFound(path, canonical, roots);
    if (roots.holdsRoot(canonical)) throw isRoot(path);
    return canonical;
  };
  const locateDestination = async (path: string): Promise<string> => {
    const { canonical } = await locateWritable(path, { followLast: false });
    if (roots.holdsRoot(canonical)) throw isRoot(path);
    return canonical;
  };

  const lock = <Result>(paths: readonly string[], work: () => Promise<Result>) =>
    locks({ paths, signal }, work);
  const writing = (canonical: string, encoding?: string, base: Changing = changing) => ({
    ...base,
    requireReadBeforeWrite,
    name: nameOf(canonical),
    encoding,
  });

  const locateText = async (path: string): Promise<string> => {
    const { canonical, kind } = await locateForText(path, { actions: ["read", "write"] });
    if (kind === "missing") throw await notFound(path, canonical, roots);
    return canonical;
  };
  const locateChange = async (change: PatchedChange): Promise<LocatedChange> => {
    if (change.kind === "add") return { change, path: (await locateForText(change.path)).canonical };
    const path = change.kind === "delete" ? await locateMovable(change.path) : await locateText(change.path);
    if (change.kind === "delete" || change.moveTo === undefined) return { change, path };
    return { change, path, moveTo: await locateDestination(change.moveTo) };
  };

  /** What was begun is taken back even if the call was given up. A preview has touched nothing that would have to be. */
  const unstoppable = (): Changing =>
    scope.mode === "preview"
      ? changing
      : openScope({ ...scope, signal: new AbortController().signal }, roots).changing;

  /** Several changes that belong together: when one fails, those made before it are taken back. */
  const orNothing = async <Result>(work: (recording: Changing) => Promise<Result>): Promise<Result> => {
    const made: FileChange[] = [];
    const report = (change: FileChange) => {
      made.push(change);
      changing.report(change);
    };
    try {
      return await work({ ...changing, report });
    } catch (error) {
      if (made.length > 0) await revertChanges(made, { ...unstoppable(), blobs: scope.blobs });
      throw error;
    }
  };

  return {
    async readLines(path, window) {
      const canonical = await locate(path, "file");
      const { source, sizeBytes, stamp, close } = await tree.openFile(canonical, path);
      try {
        const options = { ...window, path: nameOf(canonical), signal };
        if (sizeBytes > maxSmallBytes) {
          const lines = await readLineWindow(source, { ...options, sizeBytes });
          freshness.recordRead(canonical, { stamp });
          return lines;
        }
        const { bytes, hash } = await readWhole(source, { sizeBytes, signal });
        const lines = await readLineWindow(bytesAsSource(bytes), { ...options, sizeBytes: bytes.length });
        freshness.recordRead(canonical, { hash, stamp, bytes });
        return lines;
      } finally {
        await close();
      }
    },
    async describe(path) {
      const canonical = await locate(path, "file");
      const { source, sizeBytes, close } = await tree.openFile(canonical, path);
      try {
        const { mediaType } = classifyContent(await readFileHead(source));
        return { path: nameOf(canonical), sizeBytes, mediaType };
      } finally {
        await close();
      }
    },
    async readImage(path) {
      const canonical = await locate(path, "file");
      const { source, sizeBytes, stamp, close } = await tree.openFile(canonical, path);
      try {
        if (sizeBytes > maxImageBytes) throw imageTooLarge(path, sizeBytes);
        const { bytes, hash } = await readWhole(source, { sizeBytes, signal });
        // Loaded when the first image is read: most sessions read none.
        const { prepareImage } = await import("./images/prepare-image.ts");
        const { data, mimeType, width, height, notes } = await prepareImage(bytes);
        freshness.recordRead(canonical, { hash, stamp });
        return { path: nameOf(canonical), data, mimeType, width, height, notes };
      } finally {
        await close();
      }
    },
    async list(path, { recursive = false, maxEntries = 1000 } = {}) {
      const canonical = await locate(path, "directory");
      const listing = await listDirectory(canonical, { recursive, maxEntries, signal, nameOf, tree });
      return { path: nameOf(canonical), ...listing };
    },
    async readText(path, { encoding, maxBytes } = {}) {
      const canonical = await locate(path, "file");
      const name = nameOf(canonical);
      const { file, hash, stamp, bytes } = await readText(canonical, {
        tree,
        signal,
        name,
        encoding,
        maxBytes,
      });
      freshness.recordRead(canonical, { hash, stamp, bytes });
      return file;
    },
    async writeText(path, text, { encoding } = {}) {
      const { canonical } = await locateForText(path);
      return lock([canonical], () => writeText(canonical, text, writing(canonical, encoding)));
    },
    async updateText(path, change, { encoding } = {}) {
      const canonical = await locateText(path);
      return lock([canonical], () => updateText(canonical, change, writing(canonical, encoding)));
    },
    async editTexts(groups) {
      const located = await Promise.all(
        groups.map(async ({ path, ...group }) => ({ ...group, path: await locateText(path) })),
      );
      refuseTwice(located.map(({ path }) => path));
      return lock(
        located.map(({ path }) => path),
        () =>
          orNothing((recording) =>
            editTexts(located, (path, encoding) => writing(path, encoding, recording)),
          ),
      );
    },
    async applyPatch(patch) {
      const located = await Promise.all(parsePatch(patch).map(locateChange));
      const paths = located.flatMap(({ path, moveTo }) => (moveTo === undefined ? [path] : [path, moveTo]));
      refuseTwice(paths);
      return lock(paths, () =>
        orNothing((recording) =>
          patchFiles(located, {
            changing: recording,
            writing: (path) => writing(path, undefined, recording),
          }),
        ),
      );
    },
    async remove(path, { recursive = false } = {}) {
      const canonical = await locateMovable(path);
      await lock([canonical], () => removePath(canonical, { recursive }, changing));
    },
    async makeDirectory(path, { recursive = false } = {}) {
      const { canonical } = await locateWritable(path);
      await lock([canonical], () => makeFolder(canonical, { recursive }, changing));
    },
    async move(source, destination, { overwrite = false } = {}) {
      const from = await locateMovable(source, { actions: ["read", "write"] });
      const to = await locateDestination(destination);
      await lock([from, to], () => movePath({ from, to, overwrite }, changing));
    },
    async copy(source, destination, { overwrite = false } = {}) {
      const from = await locateMovable(source, { actions: ["read"] });
      const to = await locateDestination(destination);
      await lock([from, to], () => copyPath({ from, to, overwrite }, changing));
    },
  };
}

/** What is about to be done with a path. */
interface Touch {
  readonly actions?: readonly TouchAction[];
}

const maxImageBytes = 100 * 2 ** 20;

function imageTooLarge(path: string, sizeBytes: number): ToolError {
  return new ToolError("too-large", `${path} is an image of ${sizeBytes} bytes, more than ${maxImageBytes}`, {
    hint: "Make it smaller first.",
  });
}

function unexpectedKind(path: string, kind: PathKind): ToolError {
  if (kind === "directory") {
    return new ToolError("is-directory", `${path} is a directory`, {
      hint: "List its entries instead (ls).",
    });
  }
  if (kind === "file") {
    return new ToolError("not-a-directory", `${path} is a file, not a directory`, {
      hint: "Read it instead.",
    });
  }
  return new ToolError("not-a-file", `${path} is a device, pipe or socket, not a regular file`);
}

async function notFound(path: string, canonical: string, roots: Roots): Promise<ToolError> {
  const siblings = await suggestSiblings(canonical, roots);
  const hint =
    siblings.length > 0
      ? `Did you mean ${siblings.join(" or ")}?`
      : "List the folder it should be in to see what is there.";
  return new ToolError("not-found", `${path} does not exist`, { hint });
}

function refuseTwice(paths: readonly string[]): void {
  const twice = paths.find((path, index) => paths.indexOf(path) !== index);
  if (twice === undefined) return;
  throw new ToolError("invalid-input", `${twice} is changed twice in one go`, {
    hint: "Put all changes of one file together.",
  });
}

function isRoot(path: string): ToolError {
  return new ToolError(
    "invalid-input",
    `${path} is the workspace itself, or holds it, and stays where it is`,
  );
}
