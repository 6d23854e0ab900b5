import { measureInTurns } from "../files/measure-in-turns.mjs";
import { toRows } from "../files/to-rows.mjs";
import { bar } from "../support/bar.mjs";
import { floor, openRunner } from "./runners.mjs";

const rounds = 300;

/** The command `true`, from starting it to knowing that it has ended. */
export async function measureStart({ size, folder, runnerNames }) {
  const runners = await Promise.all(
    runnerNames.map(async (name) => ({ name, ...(await openRunner(name, folder)) })),
  );
  const candidates = runners.map(({ name, run }) => ({ name, run: () => run("true") }));
  const times = await measureInTurns(candidates, { size, rounds });
  await Promise.all(runners.map(({ close }) => close()));
  const ours = times.get("startCommand");
  return {
    tables: [{ title: "The command true", rows: toRows(times, { floor }) }],
    bars: [bar("startCommand over a raw spawn", { value: ours.best / times.get(floor).best, limit: 1.25 })],
  };
}
