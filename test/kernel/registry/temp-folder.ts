import { putFiles, temporaryFolder } from "../../support/temporary-folder.ts";

/** A folder with these files in it, gone after the test. */
export async function createTempFolder(files: Record<string, string> = {}): Promise<string> {
  const folder = temporaryFolder();
  putFiles(folder, files);
  return folder;
}
