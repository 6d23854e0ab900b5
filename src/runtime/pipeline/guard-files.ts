import type { Files } from "../../tool/tool-context.ts";
import { parsePatch } from "../text-edit/patch-format.ts";
import { admitPath } from "./admit-path.ts";
import type { ResolvedCall } from "./call.ts";

/**
 * The files as one call may use them. What the tool declared was decided before it ran; any other path is decided
 * when it is touched, by the same rules, so that a tool which declares nothing gets around nothing.
 */
export function guardFiles(call: ResolvedCall, files: Files): Files {
  const admit = (action: "read" | "write", path: string) => admitPath(call, action, path);
  const { preview } = files;
  return {
    async readLines(path, window) {
      await admit("read", path);
      return files.readLines(path, window);
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
    async writeText(path, text, options) {
      await admit("write", path);
      return files.writeText(path, text, options);
    },
    async updateText(path, change, options) {
      await admit("read", path);
      await admit("write", path);
      return files.updateText(path, change, options);
    },
    async editTexts(changes) {
      for (const { path } of changes) {
        await admit("read", path);
        await admit("write", path);
      }
      return files.editTexts(changes);
    },
    async applyPatch(patch) {
      for (const change of parsePatch(patch)) {
        const moveTo = change.kind === "update" ? change.moveTo : undefined;
        for (const each of moveTo === undefined ? [change.path] : [change.path, moveTo]) {
          await admit("read", each);
          await admit("write", each);
        }
      }
      return files.applyPatch(patch);
    },
    async remove(path, options) {
      await admit("write", path);
      return files.remove(path, options);
    },
    async makeDirectory(path, options) {
      await admit("write", path);
      return files.makeDirectory(path, options);
    },
    async move(from, to, options) {
      // What is moved can be read under its new name, which may be less telling than the old one.
      await admit("read", from);
      await admit("write", from);
      await admit("write", to);
      return files.move(from, to, options);
    },
    async copy(from, to, options) {
      await admit("read", from);
      await admit("write", to);
      return files.copy(from, to, options);
    },
    ...(preview && { preview }),
  };
}
