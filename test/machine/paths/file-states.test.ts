import { execFileSync, spawn } from "node:child_process";
import { mkdir, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { createFileStates } from "../../../src/machine/paths/file-states.ts";
import { needs } from "../../support/needs.ts";
import { temporaryFolder } from "../../support/open-test-session.ts";

const testWithPython = await needs("python");

/** Maps a file, touches its page so that the next write changes no time, and writes when a line comes. */
const mapped = `import mmap, sys
file = open(sys.argv[1], "r+b")
page = mmap.mmap(file.fileno(), 0)
page[0:1] = page[0:1]
print("ready", flush=True)
sys.stdin.readline()
page[0:3] = b"new"
print("done", flush=True)
`;

testWithPython("a write through a program's memory changes no time, and is seen", async () => {
  const file = join(await temporaryFolder(), "file");
  await writeFile(file, "old content");
  const child = spawn("python3", ["-c", mapped, file], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill());
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  await lines.next();
  const timesNow = async () => {
    const { mtimeNs, ctimeNs } = await stat(file, { bigint: true });
    return [mtimeNs, ctimeNs];
  };
  const [times, before] = [await timesNow(), await createFileStates().at(file)];
  child.stdin.write("\n");
  expect((await lines.next()).value).toBe("done");
  const [later, now] = [await timesNow(), await createFileStates().at(file)];
  // Where the system has written the page to disk in between, times tell it too.
  if (String(later) === String(times)) expect(now).not.toBe(before);
});

test("a file that is more than can be read counts by its size and times, and nothing is waited for", async () => {
  const folder = await temporaryFolder();
  const at = (name: string) => join(folder, name);
  for (const name of ["one", "two", "three"]) await writeFile(at(name), name);
  await mkdir(at("folder"));
  await symlink("one", at("link"));
  execFileSync("mkfifo", [at("pipe")]);
  const states = createFileStates({ maxFiles: 2, maxBytes: 6 });
  const [one, two, three] = [
    await states.at(at("one")),
    await states.at(at("two")),
    await states.at(at("three")),
  ];
  expect([one, two, three].map((state) => /[0-9a-f]{64}$/.test(state))).toEqual([true, true, false]);
  const { ctimeNs } = await stat(at("three"), { bigint: true });
  expect(three).toContain(`${ctimeNs}`);
  expect(await createFileStates({ maxBytes: 4 }).at(at("three"))).toBe(three);
  const others = createFileStates();
  expect(await others.at(at("link"))).toBe("link one");
  expect(await others.behind(at("link"))).toBe(await others.behind(at("one")));
  expect(await others.behind(at("folder"))).toBe("folder");
  expect(await others.behind(at("pipe"))).toBe("no file");
  expect(await others.at(at("pipe"))).toContain("no file");
  expect([await others.at(at("none")), await others.behind(at("none"))]).toEqual(["missing", "missing"]);
});
