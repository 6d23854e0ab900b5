import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, onTestFinished, vi } from "vitest";
import { createPlace } from "../e2e/open-temporary-runtime.ts";
import { startChild } from "../kernel/store/child.ts";
import { casesOf } from "../support/fuzz.ts";
import { needs } from "../support/needs.ts";
import { putFiles } from "../support/open-file-session.ts";
import { findFaults, findLeftIntents } from "./inspect-crash.ts";

const script = new URL("child-starved.ts", import.meta.url);

interface Shortage {
  readonly limit?: string;
  readonly nodeFlags?: readonly string[];
  /** Bytes of the disk. */
  readonly disk?: string;
}

const shortages: Readonly<Record<string, Shortage>> = {
  "files may not grow": { limit: "ulimit -f 300" },
  "there are few descriptors": { limit: "ulimit -n 36" },
  "there is little memory": { nodeFlags: ["--max-old-space-size=30"] },
  "the disk is full": { disk: "3m" },
};

const names = casesOf({ sample: ["files may not grow"], full: Object.keys(shortages) });

for (const name of names) {
  const { limit, nodeFlags = [], disk } = shortages[name]!;
  const testStarved = await needs(...(disk === undefined ? [] : ["mount" as const]));

  const title = `where ${name}, what was told is done is done, and nothing is half done`;
  testStarved(title, { timeout: 600_000 }, async () => {
    const place = await createPlace();
    const folder = dirname(place.workspace);
    vi.stubEnv("XDG_STATE_HOME", join(folder, "state"));
    if (disk !== undefined) mountSmall(folder, disk);
    await mkdir(place.workspace, { recursive: true });
    await putFiles(place.workspace, { "left.txt": "pair 0\n", "right.txt": "pair 0\n" });
    const launcher = limit === undefined ? [] : ["sh", "-c", `${limit}; exec "$@"`, "sh"];
    const child = startChild(script, [place.workspace, place.store], nodeFlags, launcher);
    // It may die of it.
    const told = await child.printed();

    for (const each of await readdir(place.workspace))
      if (each.startsWith("fill-")) await rm(join(place.workspace, each));
    const runtime = await place.open();
    await runtime.openSession();
    const read = (each: string) => readFile(join(place.workspace, each), "utf8");
    const pairs = told.filter((line) => line.startsWith("pair ")).map((line) => Number(line.slice(5)));
    expect(await read("left.txt")).toBe(await read("right.txt"));
    expect(Number((await read("left.txt")).slice(5))).toBeGreaterThanOrEqual(Math.max(0, ...pairs));
    expect((await readdir(place.workspace)).sort()).toEqual(["left.txt", "right.txt"]);
    expect(await findFaults(runtime, "starved")).toEqual([]);
    await runtime.close();
    expect(await findLeftIntents(join(folder, "store.sqlite"))).toEqual([]);
    console.log(name, told.at(-1), pairs.length);
  });
}

function mountSmall(folder: string, size: string): void {
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder], { stdio: "ignore" });
  onTestFinished(() => void execFileSync("umount", ["--lazy", folder]));
}
