import { withTemporaryFolder } from "../support/with-temporary-folder.mjs";
import { measureFlood } from "./flood.mjs";
import { listRunners } from "./runners.mjs";
import { measureStart } from "./start.mjs";
import { measureVerdict } from "./verdict.mjs";

/** Deciding on a command; starting one that does nothing and reading a gigabyte, both compared with doing it by hand. */
export default function measureShell({ size, leaveOut }) {
  return withTemporaryFolder(async (folder) => {
    const runnerNames = listRunners({ leaveOut });
    const reports = [
      await measureVerdict({ size, folder }),
      await measureStart({ size, folder, runnerNames }),
      await measureFlood({ size, folder, runnerNames }),
    ];
    return {
      tables: reports.flatMap(({ tables }) => tables),
      bars: reports.flatMap(({ bars }) => bars),
    };
  });
}
