// A separate process that opens jobs, starts the given ones, reports that, and waits to be killed.

import type { JobSpec } from "../../../src/capabilities/processes/jobs/job-launcher.ts";
import type { JobRecord } from "../../../src/capabilities/processes/jobs/job-record.ts";
import { openJobs } from "../../../src/capabilities/processes/jobs/open-jobs.ts";
import { jobsAlone } from "./jobs-alone.ts";

const [folder = "", specs = "[]"] = process.argv.slice(2);
const records: Record<string, JobRecord> = {};
const jobs = await openJobs({
  folder,
  known: new Map(),
  onRecord: (record) => {
    records[record.id] = record;
  },
  onEvent: () => {},
  ...(await jobsAlone()),
});
for (const spec of JSON.parse(specs) as JobSpec[]) await jobs.start(spec);
console.log(JSON.stringify(records));
setInterval(() => {}, 1000);
