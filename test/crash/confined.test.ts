import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, vi } from "vitest";
import { keptKinds } from "../../src/capabilities.ts";
import { collectGarbage } from "../../src/kernel/runtime/places/collect-garbage.ts";
import { openPlaces } from "../../src/kernel/runtime/places/open-places.ts";
import { createPlace, type Place } from "../e2e/open-temporary-runtime.ts";
import { startChild } from "../kernel/store/child.ts";
import { testInside } from "../machine/sandbox/inside.ts";
import { fuzzRuns, seededRandom } from "../support/fuzz.ts";
import { pass } from "../support/pass.ts";
import { describeTree } from "./inspect-crash.ts";

const script = new URL("child-confined.ts", import.meta.url);
const kills = fuzzRuns({ sample: 3, full: 30 });

for (const beside of ["alone", "job"]) {
  testInside(
    `a workspace holds nothing of the sandbox once a killed process has a successor (${beside}, ${kills} times)`,
    { timeout: 600_000 },
    async () => {
      const random = seededRandom();
      for (let kill = 0; kill < kills; kill++) {
        const place = await createPlace();
        vi.stubEnv("XDG_STATE_HOME", join(dirname(place.workspace), "state"));
        await mkdir(join(place.workspace, "empty"));
        await writeFile(join(place.workspace, "mine.txt"), "mine");
        const child = startChild(script, [place.workspace, place.store, beside]);
        await child.nextLine();
        await pass(random() * 400);
        await child.kill();
        // A sandbox that was about to start its command is ended by whoever opens a session of the same store.
        await (beside === "job" || kill % 2 === 0 ? openAgain(place) : collect(place));
        const { "effect.txt": _effect, "job.txt": _job, ...rest } = await describeTree(place.workspace);
        expect(rest).toEqual({ empty: expect.stringContaining("folder"), "mine.txt": expect.any(String) });
      }
    },
  );
}

async function openAgain(place: Place): Promise<void> {
  const runtime = await place.open();
  await runtime.openSession({ id: "killed" });
  await runtime.close();
}

async function collect({ workspace, store }: Place): Promise<void> {
  const places = await openPlaces({ workspace, store });
  await collectGarbage({ ...places, kinds: keptKinds }, { retention: {} });
  await places.close();
}
