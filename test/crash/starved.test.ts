import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { createPlace } from "../e2e/open-temporary-runtime.ts";
import { startChild } from "../kernel/store/child.ts";
import { casesOf } from "../support/fuzz.ts";
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

test.each(names)(
  "where %s, what was told is done is done, and nothing is half done",
  async (name) => {
    const { limit, nodeFlags = [], disk } = shortages[name]!;
    const place = await createPlace();
    const folder = dirname(place.workspace);
    vi.stubEnv("XDG_STATE_HOME", join(folder, "state"));
    if (disk !== undefined && !mountSmall(folder, disk)) return;
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
  },
  600_000,
);

/** Needs the right to mount. */
function mountSmall(folder: string, size: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder], { stdio: "ignore" });
    onTestFinished(() => void execFileSync("umount", ["--lazy", folder]));
    return true;
  } catch {
    return false;
  }
}
