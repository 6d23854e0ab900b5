import { defined } from "../../../shared/options/defined.ts";
import type { PatchedFile } from "../../../tool/services/files.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { UpdateOutcome } from "../patch/apply-patch.ts";
import type { PatchChunk, PatchedChange } from "../patch/patched-change.ts";
import { workOnText } from "../thread/text-thread.ts";
import type { Changing } from "./changing.ts";
import { inTurn } from "./in-turn.ts";
import { movePath } from "./move-path.ts";
import { removePath } from "./remove-path.ts";
import { planUpdate, type WriteTextOptions, writeText } from "./write-text.ts";

/** One file of a patch, with its paths resolved. */
export interface LocatedChange {
  readonly change: PatchedChange;
  /** Canonical. */
  readonly path: string;
  readonly moveTo?: string;
}

interface Patching {
  readonly changing: Changing;
  writing(path: string): WriteTextOptions;
}

/** Computes every file's new text first, so that a patch that does not match leaves every file as it was. */
export async function patchFiles(
  changes: readonly LocatedChange[],
  patching: Patching,
): Promise<PatchedFile[]> {
  const plans = await inTurn(changes, (located) => planChange(located, patching));
  return inTurn(plans, (make) => make());
}

async function planChange(located: LocatedChange, patching: Patching): Promise<() => Promise<PatchedFile>> {
  const { change, path } = located;
  const { changing, writing } = patching;
  const name = changing.nameOf(path);
  switch (change.kind) {
    case "add":
      await requireFree(path, changing);
      return async () => {
        const { diff } = await writeText(path, change.text, writing(path));
        return { path: name, kind: "add", ...defined({ diff }) };
      };
    case "delete":
      if (change.chunks !== undefined) {
        const { chunks } = change;
        const options = writing(path);
        await planUpdate(path, ({ text }) => requireNothingLeft(text, chunks, options), options);
      }
      return async () => {
        await removePath(path, { recursive: false }, changing);
        return { path: name, kind: "delete" };
      };
    case "update":
      return planUpdateAndMove({ ...located, change }, patching);
  }
}

async function planUpdateAndMove(
  { change, path, moveTo }: LocatedChange & { change: Extract<PatchedChange, { kind: "update" }> },
  { changing, writing }: Patching,
): Promise<() => Promise<PatchedFile>> {
  const name = changing.nameOf(path);
  if (moveTo !== undefined) await requireFree(moveTo, changing);
  let matchedBy: string | undefined;
  const options = writing(path);
  const update = async ({ text }: { text: string }) => {
    const outcome = await applyUpdate(text, change.chunks, options);
    matchedBy = outcome.matchedBy;
    return outcome.text;
  };
  const write = change.chunks.length === 0 ? undefined : await planUpdate(path, update, options);
  return async () => {
    const written = await write?.();
    if (moveTo !== undefined) await movePath({ from: path, to: moveTo, overwrite: false }, changing);
    const movedTo = moveTo && changing.nameOf(moveTo);
    return { path: name, kind: "update", ...defined({ movedTo, matchedBy, diff: written?.diff }) };
  };
}

/** A diff that deletes a file lists its content; other content in the file was not meant to go. */
async function requireNothingLeft(
  text: string,
  chunks: readonly PatchChunk[],
  options: WriteTextOptions,
): Promise<string> {
  const { text: left } = await applyUpdate(text, chunks, options);
  if (left === "") return text;
  throw new ToolError("conflict", `${options.name} holds more than the patch deletes`, {
    hint: "Read the file, and delete it without naming its lines if all of it is to go.",
  });
}

function applyUpdate(
  text: string,
  chunks: readonly PatchChunk[],
  { name, signal }: WriteTextOptions,
): Promise<UpdateOutcome> {
  return workOnText({ kind: "patch", text, chunks, path: name }, signal);
}

async function requireFree(path: string, { tree, nameOf }: Changing): Promise<void> {
  const { kind } = await tree.look(path);
  if (kind === "missing") return;
  throw new ToolError("already-exists", `${nameOf(path)} already exists`, {
    hint: "Update it instead of adding it, or choose another path.",
  });
}
