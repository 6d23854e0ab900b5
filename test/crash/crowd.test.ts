import { execFileSync } from "node:child_process";
import { readdir, readFile, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test, vi } from "vitest";
import { createPlace, type Place } from "../e2e/open-temporary-runtime.ts";
import { startChild } from "../kernel/store/child.ts";
import { oneTo } from "../kernel/store/events.ts";
import { casesOf, fuzzRuns, seededRandom } from "../support/fuzz.ts";
import { putFiles } from "../support/open-file-session.ts";
import { describeTree, findFaults, findLeftIntents } from "./inspect-crash.ts";

const script = new URL("child-crowd.ts", import.meta.url);
const rounds = fuzzRuns({ sample: 1, full: 6 });
const crowds = casesOf({ sample: [2], full: [2, 4, 8] });

/** In a container of its own, every second process sees no other by its pid. */
function launcherOf(number: number): readonly string[] {
  return number % 2 === 0 && canUnshare ? container : [];
}

const container = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"];
const canUnshare = (() => {
  try {
    execFileSync("unshare", [...container.slice(1), "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

test.each(crowds)(
  `%i processes that change the same files and are killed lose nothing (${rounds} rounds)`,
  async (processes) => {
    const random = seededRandom();
    const place = await createPlace();
    vi.stubEnv("XDG_STATE_HOME", join(dirname(place.workspace), "state"));
    const from = { "from/1.txt": "1", "from/deep/2.txt": "2" };
    await putFiles(place.workspace, {
      ...from,
      "shared.txt": "first\n",
      "left.txt": "pair 0\n",
      "right.txt": "pair 0\n",
    });
    await symlink("shared.txt", join(place.workspace, "soft.txt"));
    await symlink(".", join(place.workspace, "alias"));
    const told: string[] = [];
    for (const round of oneTo(rounds)) {
      const children = oneTo(processes).map((number) =>
        startChild(
          script,
          [place.workspace, place.store, `p${number}`, String(round * 1000 + number)],
          [],
          launcherOf(number),
        ),
      );
      for (const child of children) await child.nextLine();
      await Promise.all(
        children.map(async (child) => {
          for (const _line of oneTo(1 + Math.floor(random() * 12))) told.push(await child.nextLine());
          await child.kill();
          told.push(...(await child.printed()));
        }),
      );
      await checkNothingLost(place, told);
    }
    expect(told.length).toBeGreaterThan(processes);
  },
  3_600_000,
);

async function checkNothingLost({ workspace, open }: Place, told: readonly string[]): Promise<void> {
  const runtime = await open();
  await runtime.openSession();
  const read = (name: string) => readFile(join(workspace, name), "utf8");
  expect(told.filter((each) => each.startsWith("odd "))).toEqual([]);
  // Somebody may have been killed while it was elsewhere, and somebody else have written it anew.
  const copies = (await readdir(workspace)).filter((name) => name.startsWith("shared"));
  const lines = (await Promise.all(copies.map(read))).flatMap((text) => text.trimEnd().split("\n"));
  const added = told.filter((each) => each.startsWith("line ")).map((each) => each.slice("line ".length));
  for (const line of added) expect(lines.filter((each) => each === line)).not.toEqual([]);
  const pairs = told
    .filter((each) => each.startsWith("pair "))
    .map((each) => Number(each.slice("pair ".length)));
  expect(await read("left.txt")).toBe(await read("right.txt"));
  expect(new Set(pairs).size).toBe(pairs.length);
  expect(Number((await read("left.txt")).slice("pair ".length))).toBeGreaterThanOrEqual(
    Math.max(0, ...pairs),
  );

  const whole = await describeTree(join(workspace, "from"));
  for (const name of await readdir(workspace)) {
    expect(name).toMatch(/^(?:from|alias|soft\.txt|shared(?:-p\d)?\.txt|left\.txt|right\.txt|to-p\d)$/);
    if (name.startsWith("to-")) expect(await describeTree(join(workspace, name))).toEqual(whole);
  }
  for (const { id } of await runtime.sessions())
    expect([id, await findFaults(runtime, id)]).toEqual([id, []]);
  await runtime.close();
  expect(await findLeftIntents(join(dirname(workspace), "store.sqlite"))).toEqual([]);
}
