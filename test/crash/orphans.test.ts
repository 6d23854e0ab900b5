import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { createPlace } from "../e2e/open-temporary-runtime.ts";
import { startChild } from "../kernel/store/child.ts";
import { casesOf, fuzzRuns, seededRandom } from "../support/fuzz.ts";
import { until } from "../support/until.ts";
import { findBelow, findMarked } from "./find-marked.ts";
import { findFaults } from "./inspect-crash.ts";

const script = new URL("child-orphans.ts", import.meta.url);
const kills = fuzzRuns({ sample: 1, full: 12 });

test.each(casesOf({ sample: ["off"], full: ["off", "on"] }))(
  `no process that a command or a tool has started outlives a killed runtime and the next start (sandbox %s, ${kills} times)`,
  async (sandbox) => {
    const random = seededRandom();
    for (let kill = 0; kill < kills; kill++) {
      const place = await createPlace();
      vi.stubEnv("XDG_STATE_HOME", join(dirname(place.workspace), "state"));
      const mark = `${process.pid}${Math.floor(random() * 1e6)}`;
      onTestFinished(async () => {
        for (const pid of await findMarked(mark)) process.kill(pid, "SIGKILL");
      });
      const child = startChild(script, [place.workspace, place.store, sandbox, mark]);
      // The last time it is killed when all of it runs, the other times on the way there.
      const lines = kill === kills - 1 ? Number.POSITIVE_INFINITY : 1 + Math.floor(random() * 6);
      for (let line = 0; line < lines; line++) if ((await child.nextLine()) === "all") break;
      const below = await findBelow(child.pid);
      expect(below.length).toBeGreaterThan(2);
      await child.kill();

      const runtime = await place.open();
      await runtime.openSession({ id: "another" });
      await until(async () => (await findMarked(mark)).length === 0);
      await until(() => below.every((pid) => !existsSync(`/proc/${pid}`)));
      expect(await findFaults(runtime, "killed")).toEqual([]);
      await runtime.close();
    }
  },
  600_000,
);
