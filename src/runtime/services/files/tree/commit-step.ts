import { withUserLock } from "../../../locks/user-lock.ts";
import type { OpenFolder } from "./open-folder.ts";

/**
 * Makes the last step of a change: looks once more whether everything is as it was when the change was prepared, and
 * renames or removes. No other process of this user changes a file between the two, so none can lose a change.
 */
export async function commitStep(
  folders: readonly OpenFolder[],
  signal: AbortSignal,
  step: () => void,
): Promise<void> {
  for (const folder of folders) await folder.confirm();
  const work = () => {
    for (const folder of folders) folder.confirmNow();
    step();
  };
  await withUserLock("files", work, { signal });
}
