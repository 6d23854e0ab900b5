import { spawn } from "node:child_process";
import { openSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { startProven } from "../../../../src/machine/sandbox/bubblewrap/proven-start.ts";
import { until } from "../../../support/until.ts";

// The first process of its namespace, which does not wait for orphans. Starts a sandbox, and ends when nothing of it runs.
const [bubblewrap = ""] = process.argv.slice(2);
const { file, args } = startProven(
  { file: bubblewrap, args: [] },
  { shell: "/bin/bash", list: 4, strays: [] },
);
spawn(file, args, { stdio: ["ignore", "ignore", "ignore", "ignore", openSync("/dev/null", "r")] });
await until(async () => {
  const ids = (await readdir("/proc")).filter((id) => id !== "1" && /^\d+$/.test(id));
  const states = await Promise.all(ids.map((id) => readFile(`/proc/${id}/stat`, "utf8").catch(() => "")));
  return states.every((text) => text === "" || /\) Z /.test(text));
});
process.exit();
