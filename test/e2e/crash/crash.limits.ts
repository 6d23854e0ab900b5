import { expect, test } from "vitest";
import { startChild } from "../../kernel/store/child.ts";
import { fuzzRuns } from "../../support/fuzz.ts";
import { createPlace } from "../open-temporary-runtime.ts";

const script = new URL("../sessions/child-sessions.ts", import.meta.url);

const manyCalls = fuzzRuns({ sample: 600, full: 20_000 });

test(`${manyCalls} calls leave nothing in the heap`, async () => {
  const { workspace, store } = await createPlace();
  // What the engine compiles anew is in the heap too.
  const flags = ["--expose-gc", "--no-opt"];
  const child = startChild(script, ["measure-heap", workspace, store, String(manyCalls)], flags);
  const [bytesPerCall] = await child.rest();
  // Whatever stays of a call takes more; what the heap itself varies by, less.
  expect(Number(bytesPerCall)).toBeLessThan(60);
}, 120_000);
