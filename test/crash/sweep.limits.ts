import { readFile } from "node:fs/promises";
import { expect } from "vitest";
import { needs } from "../support/needs.ts";
import { until } from "../support/until.ts";
import { makeChange, prepare } from "./crash-place.ts";
import { checkSwept, sweep } from "./sweep.ts";

const testSlowly = await needs("full run");

testSlowly(
  "a suspended sweep does not keep the next start waiting for ever",
  async () => {
    const place = await prepare();
    await makeChange(place, "multi edit", "renameSync:3");
    const child = sweep(place, "renameSync:2", "SIGSTOP");
    const pid = Number(await child.nextLine());
    await until(async () => / T /.test(await readFile(`/proc/${pid}/stat`, "utf8")));
    const startedMs = performance.now();
    const runtime = await place.open();
    await runtime.openSession();
    expect(performance.now() - startedMs).toBeLessThan(15_000);
    await child.kill();
    await runtime.close();
    await checkSwept(place);
  },
  60_000,
);
