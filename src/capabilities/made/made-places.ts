import { join } from "node:path";

/** Where approvals and proposals are kept, in a project's state. */
export function madeRecordsFile(stateFolder: string): string {
  return join(stateFolder, "made-tools.json");
}

/** Where the project itself keeps its made tools. */
export function madeToolsFolder(root: string): string {
  return join(root, ".toolwright", "tools");
}
