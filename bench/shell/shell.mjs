import { withTemporaryFolder } from "../support/with-temporary-folder.mjs";
import { measureFlood } from "./flood.mjs";
import { measureStart } from "./start.mjs";
import { measureVerdict } from "./verdict.mjs";

/** Deciding on a command; starting one that does nothing and reading a gigabyte, both compared with doing it by hand. */
export default function measureShell() {
  return withTemporaryFolder(async (folder) => {
    const reports = [await measureVerdict(folder), await measureStart(folder), await measureFlood(folder)];
    return {
      tables: reports.flatMap(({ tables }) => tables),
      bars: reports.flatMap(({ bars }) => bars),
    };
  });
}
