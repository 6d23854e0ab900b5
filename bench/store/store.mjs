import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { openRuntime } from "../../dist/index.js";
// Not published, so imported from the source, which Node can run directly.
import { openStore } from "../../src/kernel/store/open-store.ts";
import { verifyChain } from "../../src/kernel/store/verify-chain.ts";
import { endEvent, startEvent } from "../call/call-events.mjs";
import { bar } from "../support/bar.mjs";
import { measureRounds, processorMs, wallMs } from "../support/measure-rounds.mjs";
import { summarize } from "../support/statistics.mjs";
import { withTemporaryFolder } from "../support/with-temporary-folder.mjs";
import { openStoreAppend } from "./store-append.mjs";

const sizes = {
  full: { lengths: [100, 1000, 10_000, 100_000], rounds: 15, clock: processorMs },
  // Some systems count a process's time in steps that are longer than this takes.
  smallest: { lengths: [2, 4], rounds: 1, clock: wallMs },
};

/** What an append costs over bare SQLite, and what resuming and verifying a session cost against its length. */
export default async function measureStore({ size }) {
  const { lengths, rounds, clock } = sizes[size];
  return withTemporaryFolder(async (folder) => {
    const appends = await measureAppends(folder, { size, clock });
    const resumes = [];
    for (const events of lengths) {
      resumes.push(await measureLength(join(folder, String(events)), { events, rounds, clock }));
    }
    const [shortest, longest] = [resumes[0], resumes.at(-1)];
    return {
      tables: [
        { title: "The two events of a call", rows: appends.rows },
        {
          title: "A session that has events already",
          rows: resumes.flatMap(({ events, resume, verify }) => [
            { name: `resumed, ${events} events`, unit: "ms", ...resume },
            { name: `verified, ${events} events`, unit: "ms", best: verify, median: verify },
          ]),
        },
      ],
      bars: [
        ...appends.bars,
        bar(`resuming ${longest.events} events over ${shortest.events}`, {
          value: longest.resume.best / shortest.resume.best,
          limit: 2,
        }),
      ],
    };
  });
}

async function measureAppends(folder, { size, clock }) {
  const candidates = await openStoreAppend(folder);
  const [raw, ours] = candidates.map(({ name }) => name);
  const rows = [];
  const bars = [];
  for (const width of [1, 10]) {
    const times = await measureRounds(
      candidates.map(({ name, call, callMany }) => ({
        name,
        operations: width,
        run:
          callMany === undefined
            ? () => Promise.all(Array.from({ length: width }, call))
            : () => callMany(width),
      })),
      { size, clock },
    );
    const over = times.get(ours).best / times.get(raw).best;
    for (const [name, { best, median }] of times)
      rows.push({ name: `${name}, ${width} at once`, unit: "µs", best, median });
    bars.push(bar(`the store over raw SQLite, ${width} at once`, { value: over, limit: 1.6 }));
  }
  for (const { close } of candidates) await close();
  return { rows, bars };
}

async function measureLength(folder, { events, rounds, clock }) {
  await mkdir(folder, { recursive: true });
  const address = `sqlite:${join(folder, "store.sqlite")}`;
  // Begun as every session is.
  const first = await openRuntime({ workspace: folder, store: address });
  await first.openSession({ id: "bench" });
  await first.close();
  const store = await openStore(address, { defaultFile: "" });
  const calls = Array.from({ length: events / 2 }, () =>
    store.append("bench", { events: [startEvent, endEvent] }),
  );
  await Promise.all(calls);
  const verify = await timed(() => verifyChain(store, "bench"), clock);
  await store.close();
  const times = [];
  for (let round = 0; round < rounds; round++) {
    const runtime = await openRuntime({ workspace: folder, store: address });
    times.push(await timed(() => runtime.openSession({ id: "bench" }), clock));
    await runtime.close();
  }
  return { events, resume: summarize(times), verify };
}

async function timed(work, clock) {
  const startedAt = clock();
  await work();
  return clock() - startedAt;
}
