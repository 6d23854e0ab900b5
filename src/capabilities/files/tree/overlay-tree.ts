import { basename, dirname, join, sep } from "node:path";
import { missing, type PathState } from "../../../kernel/events/index.ts";
import type { BlobStore } from "../../../kernel/store/index.ts";
import { hash } from "../../../shared/crypto.ts";
import { bytesAsSource } from "../../../shared/files/byte-source.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { DiskOptions } from "./disk-view.ts";
import { changedMeanwhile } from "./require-stamp.ts";
import type { FileContent, OpenFile, PathLook, ReadableTree, Tree, TreeEntry } from "./tree.ts";
import { walkTree } from "./walk-tree.ts";

/** Planned changes on top of a base tree, which stays untouched. */
export function createOverlayTree(
  base: ReadableTree,
  { blobs, signal }: Pick<DiskOptions, "blobs" | "signal">,
): Tree {
  const plans = createPlans(base, signal);
  const { hashOf, openContent } = createContents(base, blobs);
  const { look } = plans;

  const state = async (path: string): Promise<PathState> => {
    const plan = plans.at(path);
    if (plan === undefined) return base.state(path);
    if (plan.kind === "missing") return missing;
    if (plan.kind === "directory") return { kind: "directory", mode: plan.mode };
    if (plan.kind === "link") return { kind: "link", target: plan.target };
    const { mode, sizeBytes } = plan;
    return { kind: "file", hash: await hashOf(plan.content), mode, sizeBytes };
  };

  /** The entry at a path, as a plan to move it elsewhere. */
  const planFor = async (path: string): Promise<PlannedWithoutStamp> => {
    const known = plans.at(path);
    if (known !== undefined) return known;
    const { kind, mode, sizeBytes } = await base.look(path);
    if (kind === "file") return { kind, mode, sizeBytes, content: { copyOf: path } };
    if (kind === "directory") return { kind, mode };
    if (kind === "link") return { kind, target: await base.linkTarget(path) };
    throw vanished(path);
  };

  const entries: Tree["entries"] = async (folder, maxEntries) => {
    const shown = plans.at(folder) === undefined ? await base.entries(folder, maxEntries) : [];
    const unplanned = shown.filter(({ name }) => !plans.has(join(folder, name)));
    const added = plans.in(folder).flatMap(toEntry);
    return [...unplanned, ...added].sort(byName).slice(0, maxEntries);
  };

  return {
    async kindAt(path) {
      return plans.at(path)?.kind ?? base.kindAt(path);
    },
    async linkTarget(path) {
      const known = plans.at(path);
      return known?.kind === "link" ? known.target : base.linkTarget(path);
    },
    look,
    state,
    // Nothing is destroyed, so nothing has to be saved for undo.
    preserve: state,
    keep: async () => {},
    entries,
    async openFile(path, shownPath) {
      const known = plans.at(path);
      if (known === undefined) return base.openFile(path, shownPath);
      if (known.kind !== "file") throw vanished(path);
      const { mode, stamp } = known;
      return { ...(await openContent(known.content, shownPath)), mode, stamp };
    },
    async putFile(path, content, { mode, expected, meanwhile } = {}) {
      const existing = await look(path);
      if (existing.kind === "directory") throw new ToolError("is-directory", `${path} is a directory`);
      if (expected !== undefined && existing.stamp !== expected) throw changedMeanwhile(path);
      await meanwhile?.();
      const settled = await settle(content, plans);
      const opened = await openContent(settled);
      await opened.close();
      const about = {
        mode: mode ?? (existing.kind === "file" ? existing.mode : 0o644),
        sizeBytes: opened.sizeBytes,
      };
      const { stamp } = await plans.put(path, { kind: "file", content: settled, ...about });
      return { state: { kind: "file", hash: await hashOf(settled), ...about }, stamp };
    },
    async putFolder(path, { mode = 0o755 } = {}) {
      await refuseExisting(path, look);
      await plans.put(path, { kind: "directory", mode });
      return { kind: "directory", mode };
    },
    async putLink(path, target) {
      await refuseExisting(path, look);
      await plans.put(path, { kind: "link", target });
      return { kind: "link", target };
    },
    async setMode(path, mode) {
      plans.setMode(path, mode);
    },
    async remove(path) {
      const { kind } = await look(path);
      if (kind === "missing") throw vanished(path);
      if (kind === "directory" && (await entries(path, 1)).length > 0) {
        throw new ToolError("conflict", `${path} is not empty`);
      }
      await plans.put(path, { kind: "missing" });
    },
    async rename(from, to) {
      const moved: [string, PlannedWithoutStamp, { stamp: string }][] = [];
      for (const { path, stamp } of await walkTree({ look, entries }, from, signal)) {
        moved.push([to + path.slice(from.length), await planFor(path), { stamp }]);
      }
      await plans.put(from, { kind: "missing" });
      // A moved file has the same content, and on a disk the same stamp.
      for (const [path, what, kept] of moved) await plans.put(path, what, kept);
    },
  };
}

/** The plans, by path. A plan for a folder hides what the base has in it. */
function createPlans(base: ReadableTree, signal: AbortSignal) {
  const planned = new Map<string, Planned>();
  let serial = 0;
  const next = () => ({ stamp: `planned:${++serial}`, modifiedAt: new Date().toISOString() });

  /** Undefined if the base decides. */
  const at = (path: string): Planned | undefined => {
    const plan = planned.get(path);
    if (plan !== undefined) return plan;
    for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
      if (planned.has(folder)) return { kind: "missing", ...next() };
    }
    return undefined;
  };
  const look = async (path: string): Promise<PathLook> => {
    const plan = at(path);
    if (plan === undefined) return base.look(path);
    const mode = plan.kind === "file" || plan.kind === "directory" ? plan.mode : 0;
    const sizeBytes = plan.kind === "file" ? plan.sizeBytes : 0;
    return { kind: plan.kind, mode, sizeBytes, stamp: plan.kind === "missing" ? "" : plan.stamp };
  };
  return {
    at,
    look,
    has: (path: string) => planned.has(path),
    in: (folder: string) => [...planned].filter(([path]) => dirname(path) === folder),
    async put(path: string, what: PlannedWithoutStamp, kept: { stamp?: string } = {}): Promise<Planned> {
      signal.throwIfAborted();
      if ((await look(dirname(path))).kind !== "directory") throw vanished(dirname(path));
      const made: Planned = { ...what, ...next(), ...kept };
      for (const place of planned.keys()) if (place.startsWith(path + sep)) planned.delete(place);
      planned.set(path, made);
      return made;
    },
    setMode(path: string, mode: number): void {
      const known = planned.get(path);
      if (known?.kind === "file" || known?.kind === "directory") planned.set(path, { ...known, mode });
    },
  };
}

type Plans = ReturnType<typeof createPlans>;

/** The contents of planned files, which are in memory, in the base or in the blob store. */
function createContents(base: ReadableTree, blobs: BlobStore) {
  return {
    async hashOf(content: SettledContent): Promise<string> {
      if ("blob" in content) return content.blob;
      if ("bytes" in content) return hash("sha256", content.bytes);
      const found = await base.state(content.copyOf);
      if (found.kind !== "file") throw vanished(content.copyOf);
      return found.hash;
    },
    async openContent(
      content: SettledContent,
      shownPath?: string,
    ): Promise<Omit<OpenFile, "mode" | "stamp">> {
      if ("copyOf" in content) return base.openFile(content.copyOf, shownPath);
      if ("bytes" in content) {
        const { bytes } = content;
        return { source: bytesAsSource(bytes), sizeBytes: bytes.length, close: async () => {} };
      }
      const handle = await blobs.open(content.blob);
      if (handle === undefined) throw new ToolError("unavailable", "the earlier version is no longer stored");
      const { size } = await handle.stat();
      return { source: handle, sizeBytes: size, close: () => handle.close() };
    },
  };
}

/** A copy of a planned file gets that plan's content, because the base does not have it. */
async function settle(content: FileContent, plans: Plans): Promise<SettledContent> {
  if ("parts" in content) return { bytes: Buffer.concat(content.parts) };
  if ("pieces" in content) {
    const pieces: Uint8Array[] = [];
    for await (const piece of content.pieces) pieces.push(piece);
    return { bytes: Buffer.concat(pieces) };
  }
  const plan = "copyOf" in content ? plans.at(content.copyOf) : undefined;
  return plan?.kind === "file" ? plan.content : content;
}

type SettledContent = Exclude<FileContent, { parts: unknown } | { pieces: unknown }>;

type PlannedWithoutStamp =
  | { readonly kind: "missing" }
  | {
      readonly kind: "file";
      readonly content: SettledContent;
      readonly mode: number;
      readonly sizeBytes: number;
    }
  | { readonly kind: "directory"; readonly mode: number }
  | { readonly kind: "link"; readonly target: string };

type Planned = PlannedWithoutStamp & { readonly stamp: string; readonly modifiedAt: string };

function toEntry([path, plan]: [string, Planned]): TreeEntry[] {
  if (plan.kind === "missing") return [];
  const { kind, modifiedAt } = plan;
  const entry = { name: basename(path), kind, sizeBytes: kind === "file" ? plan.sizeBytes : 0, modifiedAt };
  return [kind === "link" ? { ...entry, linkTarget: plan.target } : entry];
}

function byName(one: TreeEntry, other: TreeEntry): number {
  return one.name < other.name ? -1 : 1;
}

async function refuseExisting(path: string, look: Tree["look"]): Promise<void> {
  if ((await look(path)).kind !== "missing") throw new ToolError("already-exists", `${path} already exists`);
}

function vanished(path: string): ToolError {
  return new ToolError("not-found", `${path} does not exist`);
}
