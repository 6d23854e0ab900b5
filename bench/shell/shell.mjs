import { withTemporaryFolder } from "../support/with-temporary-folder.mjs";
import { measureFlood } from "./flood.mjs";
import { measureStart } from "./start.mjs";

/** Starting a command that does nothing, and taking a gigabyte of output, beside the same done by hand. */
export default function measureShell() {
  return withTemporaryFolder(async (folder) => {
    const reports = [await measureStart(folder), await measureFlood(folder)];
    return {
      tables: reports.flatMap(({ tables }) => tables),
      bars: reports.flatMap(({ bars }) => bars),
    };
  });
}
