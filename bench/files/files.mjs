import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { withTemporaryFolder } from "../support/with-temporary-folder.mjs";
import { measureEdit } from "./edit.mjs";
import { measureGlob } from "./glob.mjs";
import { measureGrep } from "./grep.mjs";
import { openPiTools } from "./pi-tools.mjs";
import { measureSlice } from "./slice.mjs";

const trees = {
  full: fileURLToPath(new URL("../../node_modules", import.meta.url)),
  smallest: fileURLToPath(new URL(".", import.meta.url)),
};

/** Searching a large tree, reading far into a large file and editing a large file, compared with doing it by hand. */
export default async function measureFiles({ size, leaveOut, tree: givenTree = trees[size] }) {
  const tree = resolve(givenTree);
  return withTemporaryFolder(async (folder) => {
    const pi = await openPiTools(folder, { leaveOut });
    const reports = [];
    reports.push(await measureGrep({ size, tree, pi }));
    reports.push(await measureGlob({ size, tree }));
    reports.push(await measureSlice({ size, folder, pi }));
    reports.push(await measureEdit({ size, folder, pi }));
    return {
      tables: reports.flatMap(({ tables }) => tables),
      bars: reports.flatMap(({ bars }) => bars),
    };
  });
}
