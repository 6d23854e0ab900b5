import { dirname, join } from "node:path";
import { expect, vi } from "vitest";
import { createPlace } from "../e2e/open-temporary-runtime.ts";
import { startChild } from "../kernel/store/child.ts";
import { needs } from "../support/needs.ts";

const calls = 100_000;
const testSlowly = await needs("full run");

testSlowly.each(["sqlite", "memory"])(
  `${calls} calls leave no memory and no descriptor taken (%s)`,
  async (kind) => {
    const place = await createPlace();
    vi.stubEnv("XDG_STATE_HOME", join(dirname(place.workspace), "state"));
    const store = kind === "memory" ? "memory:" : place.store;
    const script = new URL("child-soak.ts", import.meta.url);
    const child = startChild(script, [place.workspace, store, String(calls)], ["--expose-gc"]);
    const [line] = await child.rest();
    const { before, after, calls: made, all } = JSON.parse(line!);
    console.log(kind, all, before, after);
    expect(after.heap - before.heap).toBeLessThan(2 ** 19 + made * 10);
    expect(after.outside - before.outside).toBeLessThan(2 ** 22);
    // Pipes are made ahead in batches.
    expect(after.descriptors - before.descriptors).toBeLessThan(80);
  },
  3_600_000,
);
