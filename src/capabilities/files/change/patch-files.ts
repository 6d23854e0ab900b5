import { defined } from "../../../shared/options/defined.ts";
import type { PatchedFile, TextFile } from "../../../tool/services/files.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { PatchChunk, PatchedChange } from "../patch/patched-change.ts";
import { workOnText } from "../thread/text-thread.ts";
import type { Changing } from "./changing.ts";
import { inTurn } from "./in-turn.ts";
import { movePath } from "./move-path.ts";
import { removePath } from "./remove-path.ts";
import { planUpdate, writeText } from "./write-text.ts";

/** One file of a patch, with its paths resolved. */
export interface LocatedChange {
  readonly change: PatchedChange;
  /** Canonical. */
  readonly path: string;
  readonly moveTo?: string;
}

/** Computes every file's new text first, so that a patch that does not match leaves every file as it was. */
export async function patchFiles(
  changes: readonly LocatedChange[],
  changing: Changing,
): Promise<PatchedFile[]> {
  const plans = await inTurn(changes, (located) => planChange(located, changing));
  return inTurn(plans, (make) => make());
}

async function planChange(located: LocatedChange, changing: Changing): Promise<() => Promise<PatchedFile>> {
  const { change, path } = located;
  const name = changing.nameOf(path);
  switch (change.kind) {
    case "add":
      await requireFree(path, changing);
      return async () => {
        const { diff } = await writeText(path, change.text, changing);
        return { path: name, kind: "add", ...defined({ diff }) };
      };
    case "delete":
      if (change.chunks !== undefined) {
        const { chunks } = change;
        await planUpdate(path, (file) => requireNothingLeft(file, chunks, changing), changing);
      }
      return async () => {
        await removePath(path, { recursive: false }, changing);
        return { path: name, kind: "delete" };
      };
    case "update":
      return planUpdateAndMove({ ...located, change }, changing);
  }
}

async function planUpdateAndMove(
  { change, path, moveTo }: LocatedChange & { change: Extract<PatchedChange, { kind: "update" }> },
  changing: Changing,
): Promise<() => Promise<PatchedFile>> {
  const name = changing.nameOf(path);
  if (moveTo !== undefined) await requireFree(moveTo, changing);
  let matchedBy: string | undefined;
  const update = async (file: TextFile) => {
    const outcome = await applyUpdate(file, change.chunks, changing);
    matchedBy = outcome.matchedBy;
    return outcome.text;
  };
  const write = change.chunks.length === 0 ? undefined : await planUpdate(path, update, changing);
  return async () => {
    const written = await write?.();
    if (moveTo !== undefined) await movePath({ from: path, to: moveTo, overwrite: false }, changing);
    const movedTo = moveTo && changing.nameOf(moveTo);
    return { path: name, kind: "update", ...defined({ movedTo, matchedBy, diff: written?.diff }) };
  };
}

/** A diff that deletes a file lists its content; other content in the file was not meant to go. */
async function requireNothingLeft(
  file: TextFile,
  chunks: readonly PatchChunk[],
  changing: Changing,
): Promise<string> {
  const { text: left } = await applyUpdate(file, chunks, changing);
  if (left === "") return file.text;
  throw new ToolError("conflict", `${file.path} holds more than the patch deletes`, {
    hint: "Read the file, and delete it without naming its lines if all of it is to go.",
  });
}

function applyUpdate({ path, text }: TextFile, chunks: readonly PatchChunk[], { signal }: Changing) {
  return workOnText({ kind: "patch", text, chunks, path }, signal);
}

async function requireFree(path: string, { tree, nameOf }: Changing): Promise<void> {
  const { kind } = await tree.look(path);
  if (kind === "missing") return;
  throw new ToolError("already-exists", `${nameOf(path)} already exists`, {
    hint: "Update it instead of adding it, or choose another path.",
  });
}
