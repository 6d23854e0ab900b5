import { putFiles, temporaryFolder } from "../../../../support/temporary-folder.ts";

/** A folder with these files, gone when the test is over. */
export async function temporaryTree(contents: Record<string, string> = {}): Promise<string> {
  const root = temporaryFolder();
  putFiles(root, contents);
  return root;
}
