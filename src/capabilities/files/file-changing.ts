import type { FileChanging } from "../../tool/services/files.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { Changing } from "./change/changing.ts";
import { copyPath } from "./change/copy-path.ts";
import { editTexts, type LocatedEdits, mayCreate } from "./change/edit-texts.ts";
import { inTurn } from "./change/in-turn.ts";
import { makeFolder } from "./change/make-folder.ts";
import { movePath } from "./change/move-path.ts";
import { type LocatedChange, patchFiles } from "./change/patch-files.ts";
import { removePath } from "./change/remove-path.ts";
import type { PathReplacement } from "./change/replace-path.ts";
import { type NewContent, updateText, writeContent, writeText } from "./change/write-text.ts";
import type { FileLocator } from "./file-locator.ts";
import { listTree } from "./list-tree.ts";
import type { OpenedScope } from "./open-scope.ts";
import { parsePatch } from "./patch/patch-format.ts";
import type { PatchedChange } from "./patch/patched-change.ts";

/** The methods of a call's files that change something; each locks its paths while it runs. */
export function createFileChanging(locator: FileLocator, opened: OpenedScope): FileChanging {
  const { gate, makeChange, makeChanges } = opened;
  const listed = listTree(opened.tree);
  /** Resolves both ends of a move or copy, asks the gate about all that is in them, and makes the change. */
  const relocate = async (
    actions: readonly ("read" | "write")[],
    { source, destination, overwrite }: Relocation,
    work: (paths: PathReplacement, own: Changing) => Promise<void>,
  ) => {
    const from = await locator.toMove(source, actions);
    const to = await locator.toFill(destination);
    await gate.tree(from, { actions, to: destination }, listed);
    if (overwrite) await gate.tree(to, { actions: ["write"] }, listed);
    const paths = { from: from.canonical, to: to.canonical, overwrite };
    await makeChange([paths.from, paths.to], (own) => work(paths, own));
  };

  return {
    async writeText(path, text, { encoding } = {}) {
      const place = await locator.toWriteText(path);
      const { canonical } = place;
      const mayShow = await gate.mayRead(place);
      const { diff, ...written } = await makeChange([canonical], (own) =>
        writeText(canonical, text, { ...own, encoding, mayShow }),
      );
      return diff !== undefined && mayShow ? { ...written, diff } : written;
    },
    async writeBytes(path, bytes, { overwrite = false } = {}) {
      const place = await locator.toWriteText(path);
      const { canonical } = place;
      const mayShow = await gate.mayRead(place);
      return makeChange([canonical], (own) =>
        writeContent(canonical, contentOf(bytes), { ...own, mayShow, overwrite }),
      );
    },
    async updateText(path, change, { encoding } = {}) {
      const { canonical } = await locator.toChangeText(path);
      return makeChange([canonical], (own) => updateText(canonical, change, { ...own, encoding }));
    },
    async editTexts(groups) {
      const located = await inTurn(groups, async ({ path, ...group }) => {
        const { canonical } = mayCreate(group)
          ? await locator.toWriteText(path, ["read", "write"])
          : await locator.toChangeText(path);
        return { ...group, path: canonical };
      });
      const byFile = [...Map.groupBy(located, ({ path }) => path).values()].map(joinEdits);
      return makeChanges(
        byFile.map(({ path }) => path),
        (recording) => editTexts(byFile, recording),
      );
    },
    async applyPatch(patch) {
      const located = await inTurn(parsePatch(patch), (one) => locateChange(one, locator));
      const paths = located.flatMap(({ path, moveTo }) => (moveTo === undefined ? [path] : [path, moveTo]));
      refuseDuplicates(paths);
      return makeChanges(paths, (recording) => patchFiles(located, recording));
    },
    async remove(path, { recursive = false } = {}) {
      const place = await locator.toMove(path);
      if (recursive) await gate.tree(place, { actions: ["write"] }, listed);
      await makeChange([place.canonical], (own) => removePath(place.canonical, { recursive }, own));
    },
    async makeDirectory(path, { recursive = false } = {}) {
      const { canonical } = await locator.toWrite(path);
      await makeChange([canonical], (own) => makeFolder(canonical, { recursive }, own));
    },
    // Needs read permission: a sensitive file could otherwise be moved to a harmless name and read there.
    move: (source, destination, { overwrite = false } = {}) =>
      relocate(["read", "write"], { source, destination, overwrite }, movePath),
    copy: (source, destination, { overwrite = false } = {}) =>
      relocate(["read"], { source, destination, overwrite }, copyPath),
  };
}

interface Relocation {
  readonly source: string;
  readonly destination: string;
  readonly overwrite: boolean;
}

/** A patch that does not match shows lines of the file, so applying one needs permission to read as well. */
async function locateChange(change: PatchedChange, locator: FileLocator): Promise<LocatedChange> {
  if (change.kind === "add") {
    const { canonical } = await locator.toWriteText(change.path, ["read", "write"]);
    return { change, path: canonical };
  }
  const { canonical: path } =
    change.kind === "delete"
      ? await locator.toMove(change.path, ["read", "write"])
      : await locator.toChangeText(change.path);
  if (change.kind === "delete" || change.moveTo === undefined) return { change, path };
  const destination = await locator.toFill(change.moveTo, ["read", "write"]);
  return { change, path, moveTo: destination.canonical };
}

function contentOf(bytes: Uint8Array | AsyncIterable<Uint8Array>): NewContent {
  if (!ArrayBuffer.isView(bytes)) return { pieces: bytes };
  return { bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
}

/** Joins the edits of one file, which may be named by several paths, in the given order. */
function joinEdits(groups: readonly LocatedEdits[]): LocatedEdits {
  return { ...groups[0]!, edits: groups.flatMap(({ edits }) => edits) };
}

function refuseDuplicates(paths: readonly string[]): void {
  const duplicate = paths.find((path, index) => paths.indexOf(path) !== index);
  if (duplicate === undefined) return;
  throw new ToolError("invalid-input", `${duplicate} appears twice in the same request`, {
    hint: "Combine all changes to one file.",
  });
}
