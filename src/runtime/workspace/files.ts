import type { Files } from "../../tool/tool-context.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { classifyContent, readHead } from "./classify-content.ts";
import { listDirectory } from "./list-directory.ts";
import { type OpenOptions, openContained, outside } from "./open-contained.ts";
import { readLines } from "./read-lines.ts";
import { suggestSiblings } from "./suggest-siblings.ts";
import type { Walked } from "./walk-path.ts";
import type { Roots } from "./workspace-roots.ts";

/** The files of one call: every access resolves, opens contained and ends with the call's signal. */
export function createFiles({
  walk,
  roots,
  signal,
}: {
  walk: (path: string) => Promise<Walked>;
  roots: Roots;
  signal: AbortSignal;
}): Files {
  const { mayRead } = roots;
  const nameOf = (canonical: string) => roots.relative(canonical) ?? canonical;

  const locate = async (path: string, kind: OpenOptions["kind"]): Promise<string> => {
    signal.throwIfAborted();
    const reached = await walk(path);
    if (!mayRead(reached.canonical)) throw outside(path);
    if (reached.kind === "missing") throw await notFound(path, reached.canonical, roots);
    if (reached.kind !== kind) throw unexpectedKind(path, reached.kind);
    return reached.canonical;
  };

  const openFile = async (path: string) => {
    const canonical = await locate(path, "file");
    const { handle, stats } = await openContained(canonical, {
      kind: "file",
      shownPath: path,
      mayOpen: mayRead,
    });
    return { handle, path: nameOf(canonical), sizeBytes: Number(stats.size) };
  };

  return {
    async readLines(path, window) {
      const { handle, ...file } = await openFile(path);
      try {
        return await readLines(handle, { ...window, ...file, signal });
      } finally {
        await handle.close();
      }
    },
    async describe(path) {
      const { handle, ...file } = await openFile(path);
      try {
        const content = classifyContent(await readHead(handle));
        return { ...file, mediaType: content.mediaType };
      } finally {
        await handle.close();
      }
    },
    async list(path, { recursive = false, maxEntries = 1000 } = {}) {
      const canonical = await locate(path, "directory");
      const options = { recursive, maxEntries, signal, nameOf, mayOpen: mayRead, shownPath: path };
      return { path: nameOf(canonical), ...(await listDirectory(canonical, options)) };
    },
  };
}

function unexpectedKind(path: string, kind: Walked["kind"]): ToolError {
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
