import { keptKinds } from "../../../../capabilities.ts";
import {
  collectGarbage,
  type GarbageReport,
  isStoreInUse,
  openPlaces,
} from "../../../../kernel/runtime/index.ts";
import { countOf } from "../../../../shared/text/count-of.ts";
import { escapeLine } from "../../../../shared/text/escape-controls.ts";
import type { Command } from "../../command.ts";
import { asUsage } from "../../open/as-usage.ts";
import { optionsFromFlags } from "../../open/options-from-flags.ts";

export default {
  flags: ["dry-run"],
  example: "--dry-run",
  note: "Removes records that are older, or take more room, than `retention` in the configuration allows. Sessions that are open, and those whose changes may still be undone, are never touched.",
  isForPerson: true,

  async run({ flags, output }) {
    const options = await optionsFromFlags(flags);
    const places = await asUsage(() => openPlaces(options));
    const isDryRun = flags["dry-run"] ?? false;
    try {
      const report = await collectGarbage(
        { ...places, kinds: keptKinds },
        { retention: options.retention ?? {}, isDryRun },
      );
      await output.write(flags.json ? `${JSON.stringify(report)}\n` : describe(report, isDryRun));
      if (!isDryRun) {
        // Other processes could not write to the store while it is compacted.
        if (!(await isStoreInUse(places.store))) await places.store.maintenance.compact();
        else if (report.sessions.length > 0) await output.tell(roomIsKept);
      }
    } finally {
      await places.close();
    }
  },
} satisfies Command;

const roomIsKept =
  "another process is using the store, which keeps the free room; `toolwright gc` gives it back when none does";

function describe({ sessions, logBytes, outputs, jobs, blobs }: GarbageReport, isDryRun: boolean): string {
  const verb = isDryRun ? "would remove" : "removed";
  const lines = [
    `${verb} ${countOf(sessions.length, "session")} (${formatBytes(logBytes)} of log)`,
    ...sessions.map((id) => `  ${escapeLine(id)}`),
    `${verb} ${countOf(outputs.count, "output")} (${formatBytes(outputs.bytes)})`,
    `${verb} the output of ${countOf(jobs.count, "background command")} (${formatBytes(jobs.bytes)})`,
    `${verb} ${countOf(blobs.count, "earlier version")} of files (${formatBytes(blobs.bytes)})`,
  ];
  return `${lines.join("\n")}\n`;
}

function formatBytes(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB"];
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${Number((bytes / 1024 ** power).toFixed(1))} ${units[power]}`;
}
