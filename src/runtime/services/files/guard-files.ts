import { resolve } from "node:path";
import type { Files } from "../../../tool/services/files.ts";
import type { ResolvedCall } from "../../pipeline/call.ts";
import { admitPath, admitReached } from "../../policy/admit-path.ts";
import { admitTree } from "../../policy/admit-tree.ts";
import { parsePatch } from "./patch/patch-format.ts";

/**
 * The files as one call may use them. What the tool declared was decided before it ran; any other path is decided
 * when it is touched, by the same rules, so that a tool which declares nothing gets around nothing.
 */
export function guardFiles(call: ResolvedCall, files: Files): Files {
  const admit = (action: "read" | "write", path: string) => admitPath(call, action, path);
  const mayRead = (path: string) =>
    admitReached(call, "read", resolve(call.environment.session.workspace, path)).then(
      () => true,
      () => false,
    );
  /** Waited for even where the tool or its caller does not, so that the record tells all that was changed. */
  const track = <Result>(make: () => Promise<Result>): Promise<Result> => {
    call.underway ??= new Set();
    const { underway } = call;
    const change = make();
    underway.add(change);
    const settle = () => underway.delete(change);
    change.then(settle, settle);
    return change;
  };
  const { preview } = files;
  return {
    async readLines(path, window) {
      await admit("read", path);
      return files.readLines(path, window);
    },
    async readImage(path) {
      await admit("read", path);
      return files.readImage(path);
    },
    async list(path, options) {
      await admit("read", path);
      return files.list(path, options);
    },
    async describe(path) {
      await admit("read", path);
      return files.describe(path);
    },
    async readText(path, options) {
      await admit("read", path);
      return files.readText(path, options);
    },
    writeText: (path, text, options) =>
      track(async () => {
        await admit("write", path);
        const { diff, ...written } = await files.writeText(path, text, options);
        // What may be overwritten but not read must not be seen in the diff.
        return diff !== undefined && (await mayRead(written.path)) ? { ...written, diff } : written;
      }),
    updateText: (path, change, options) =>
      track(async () => {
        await admit("read", path);
        await admit("write", path);
        return files.updateText(path, change, options);
      }),
    editTexts: (changes) =>
      track(async () => {
        for (const { path } of changes) {
          await admit("read", path);
          await admit("write", path);
        }
        return files.editTexts(changes);
      }),
    applyPatch: (patch) =>
      track(async () => {
        for (const change of parsePatch(patch)) {
          const moveTo = change.kind === "update" ? change.moveTo : undefined;
          for (const each of moveTo === undefined ? [change.path] : [change.path, moveTo]) {
            await admit("read", each);
            await admit("write", each);
          }
        }
        return files.applyPatch(patch);
      }),
    remove: (path, options) =>
      track(async () => {
        await admit("write", path);
        if (options?.recursive) await admitTree(call, files, { from: path, actions: ["write"] });
        return files.remove(path, options);
      }),
    makeDirectory: (path, options) =>
      track(async () => {
        await admit("write", path);
        return files.makeDirectory(path, options);
      }),
    move: (from, to, options) =>
      track(async () => {
        // What is moved can be read under its new name, which may be less telling than the old one.
        await admit("read", from);
        await admit("write", from);
        await admit("write", to);
        await admitTree(call, files, { from, actions: ["read", "write"], to });
        if (options?.overwrite) await admitTree(call, files, { from: to, actions: ["write"] });
        return files.move(from, to, options);
      }),
    copy: (from, to, options) =>
      track(async () => {
        await admit("read", from);
        await admit("write", to);
        await admitTree(call, files, { from, actions: ["read"], to });
        if (options?.overwrite) await admitTree(call, files, { from: to, actions: ["write"] });
        return files.copy(from, to, options);
      }),
    ...(preview && {
      async preview() {
        await admitShown(call);
        return preview();
      },
    }),
  };
}

/** A preview shows the content of everything it is about, of what lies in a folder as well. */
async function admitShown(call: ResolvedCall): Promise<void> {
  const { workspace } = call.environment.session;
  const admitted = new Set(call.declared?.map(({ target = "." }) => resolve(workspace, target)));
  for (const { path, before, after } of call.changes ?? []) {
    if (before.kind !== "file" && after.kind !== "file") continue;
    if (!admitted.has(path)) await admitPath(call, "read", path);
    admitted.add(path);
  }
}
