import { chmod, chown, lchown, lstat, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type BlobStore, openBlobStore } from "../../../src/kernel/store/blobs/blob-store.ts";
import type { Files } from "../../../src/tool/services/files.ts";
import { ToolError } from "../../../src/tool/tool-error.ts";
import { fc, fuzzRuns } from "../../support/fuzz.ts";
import { needs } from "../../support/needs.ts";
import { snapshot } from "./snapshot.ts";
import { temporaryWorkspace } from "./temporary-workspace.ts";

const testAsRoot = await needs("root");

describe("reverting", () => {
  test("brings back what was overwritten, removed, moved and made, and can itself be reverted", async () => {
    const { root, files, workspace, scope, changes } = await temporaryWorkspace({
      "a.txt": "a",
      "gone/b.sh": "b",
      "moved/c.txt": "c",
    });
    await chmod(join(root, "gone/b.sh"), 0o750);
    await chmod(join(root, "gone"), 0o700);
    await symlink("a.txt", join(root, "gone/link"));
    const before = await snapshot(root);
    await files.writeText("a.txt", "A");
    await files.writeText("new/n.txt", "n");
    await files.remove("gone", { recursive: true });
    await files.move("moved", "new/place");
    await files.writeText("gone", "now a file");
    const after = await snapshot(root);

    const reverted = await workspace.revert([...changes], scope);
    expect(await snapshot(root)).toEqual(before);
    await workspace.revert(reverted, scope);
    expect(await snapshot(root)).toEqual(after);
  });

  testAsRoot("gives back what others own to them, with its mode", async () => {
    const { root, files, workspace, scope, changes } = await temporaryWorkspace({
      "theirs/a.sh": "a",
      "b.txt": "b",
    });
    await symlink("a.sh", join(root, "theirs/link"));
    for (const path of ["theirs", "theirs/a.sh"]) await chown(join(root, path), 4321, 1234);
    await lchown(join(root, "theirs/link"), 4321, 1234);
    await chmod(join(root, "theirs/a.sh"), 0o4755);
    const owners = async () =>
      Promise.all(
        ["theirs", "theirs/a.sh", "theirs/link", "b.txt"].map(async (path) => {
          const { uid, gid, mode } = await lstat(join(root, path));
          return [uid, gid, mode & 0o7777];
        }),
      );
    const before = await owners();
    await files.remove("theirs", { recursive: true });
    await files.remove("b.txt");
    const reverted = await workspace.revert([...changes], scope);
    expect(await owners()).toEqual(before);
    await workspace.revert(reverted, scope);
    await expect(lstat(join(root, "theirs"))).rejects.toThrow("ENOENT");
  });

  test("changes nothing where anything changed since, and lists every such path", async () => {
    const { root, files, workspace, scope, changes } = await temporaryWorkspace({
      "a.txt": "a",
      "b.txt": "b",
    });
    await files.writeText("a.txt", "A");
    await files.writeText("b.txt", "B");
    await files.writeText("d/c.txt", "c");
    await files.remove("b.txt");
    const made = [...changes];
    await writeFile(join(root, "a.txt"), "theirs");
    await writeFile(join(root, "b.txt"), "theirs");
    await writeFile(join(root, "d/theirs.txt"), "theirs");
    const before = await snapshot(root);
    await expect(workspace.revert(made, scope)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("a.txt, b.txt, d/theirs.txt"),
    });
    expect(await snapshot(root)).toEqual(before);
    expect(changes).toHaveLength(made.length);
  });

  test("leaves alone what is overwritten while it works, and takes back what it did", async () => {
    const names = ["a.txt", "b.txt", "c.txt"];
    const { root, files, workspace, scope, changes } = await temporaryWorkspace(
      Object.fromEntries(names.map((name) => [name, `old ${name}`])),
    );
    for (const name of names) await files.writeText(name, `new ${name}`);
    let opened = 0;
    const open: BlobStore["open"] = async (hash) => {
      // Each blob is opened once to check it; the fifth opening restores the second file.
      if (++opened === 5) await writeFile(join(root, "c.txt"), "theirs");
      return scope.blobs.open(hash);
    };
    const busy = { ...scope, blobs: { ...scope.blobs, open } };
    await expect(workspace.revert([...changes], busy)).rejects.toMatchObject({ code: "conflict" });
    expect(await contentsOf(root, names)).toEqual(["new a.txt", "new b.txt", "theirs"]);
  });

  test("leaves alone what is changed, or put in the way, before it would be removed or moved", async () => {
    const { root, files, workspace, scope, changes } = await temporaryWorkspace({ "from.txt": "moved" });
    await files.move("from.txt", "to.txt");
    await files.writeText("new.txt", "new");
    const revertMeanwhile = (name: string) => {
      const keepFile: BlobStore["keepFile"] = async (path) => {
        const kept = await scope.blobs.keepFile(path);
        await writeFile(join(root, name), "theirs");
        return kept;
      };
      return workspace.revert([...changes], { ...scope, blobs: { ...scope.blobs, keepFile } });
    };
    await expect(revertMeanwhile("from.txt")).rejects.toMatchObject({ code: "conflict" });
    expect(await contentsOf(root, ["from.txt", "to.txt", "new.txt"])).toEqual(["theirs", "moved", "new"]);
    await rm(join(root, "from.txt"));
    await expect(revertMeanwhile("new.txt")).rejects.toMatchObject({ code: "conflict" });
    expect(await contentsOf(root, ["to.txt", "new.txt"])).toEqual(["moved", "theirs"]);
  });

  test("needs the folder that something goes back to", async () => {
    const { root, files, workspace, scope, changes } = await temporaryWorkspace({ "d/a.txt": "a" });
    await files.remove("d/a.txt");
    await rm(join(root, "d"), { recursive: true });
    await expect(workspace.revert([...changes], scope)).rejects.toMatchObject({ code: "conflict" });
  });

  test("says so when what was there before is no longer kept, and changes nothing", async () => {
    const { base, root, workspace, scope, changes } = await temporaryWorkspace({
      "a.txt": "large".repeat(100),
    });
    const small = { ...scope, blobs: await openBlobStore(join(base, "small"), { quotaBytes: 100 }) };
    const files = workspace.files(small);
    await files.writeText("b.txt", "b");
    await files.writeText("a.txt", "a");
    await expect(workspace.revert([...changes], small)).rejects.toMatchObject({ code: "unavailable" });
    expect(Object.keys(await snapshot(root))).toEqual(["a.txt", "b.txt"]);
  });

  test("does not need what was only moved to be kept", async () => {
    const { base, root, workspace, scope, changes } = await temporaryWorkspace({
      "d/a.txt": "large".repeat(100),
    });
    const before = await snapshot(root);
    const small = { ...scope, blobs: await openBlobStore(join(base, "small"), { quotaBytes: 100 }) };
    await workspace.files(small).move("d", "e");
    await workspace.revert([...changes], small);
    expect(await snapshot(root)).toEqual(before);
  });

  test("puts back what it did when a step fails half-way", async () => {
    const { root, files, workspace, scope, changes } = await temporaryWorkspace({
      "a.txt": "a",
      "b.txt": "b",
      "c.txt": "c",
    });
    for (const name of ["a.txt", "b.txt", "c.txt"]) await files.writeText(name, name.toUpperCase());
    const after = await snapshot(root);
    let opened = 0;
    // All blobs exist when they are checked; then the second file's blob is evicted.
    const open = async (hash: string) => (++opened > 4 ? undefined : scope.blobs.open(hash));
    await expect(
      workspace.revert([...changes], {
        ...scope,
        blobs: { ...scope.blobs, open: guardOnce(open, scope.blobs.open) },
      }),
    ).rejects.toMatchObject({ code: "unavailable" });
    expect(await snapshot(root)).toEqual(after);
  });

  test("refuses what lies outside, however it came into the record", async () => {
    const { outside, workspace, scope } = await temporaryWorkspace();
    const path = join(outside, "x");
    const change = { path, before: { kind: "link", target: "y" }, after: { kind: "missing" } } as const;
    await expect(workspace.revert([change], scope)).rejects.toMatchObject({ code: "outside-workspace" });
  });
});

/** Fails once, then works again. */
function guardOnce<Answer>(
  failing: (hash: string) => Promise<Answer | undefined>,
  working: (hash: string) => Promise<Answer | undefined>,
): (hash: string) => Promise<Answer | undefined> {
  let hasFailed = false;
  return async (hash) => {
    if (hasFailed) return working(hash);
    const answer = await failing(hash);
    hasFailed = answer === undefined;
    return answer;
  };
}

const place = fc.constantFrom("a", "b", "d", "d/a", "d/b", "d/e", "d/e/a", "x/y", "link", "odd.bin");
const content = fc.oneof(fc.string(), fc.constantFrom("", "same", "line\nline\n", "a\r\nb\r\n"));

type Operation = (files: Files) => Promise<unknown>;

const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.tuple(place, content).map(
    ([path, text]): Operation =>
      (files) =>
        files.writeText(path, text),
  ),
  fc.tuple(place, content).map(
    ([path, text]): Operation =>
      (files) =>
        files.updateText(path, (current) => current.text + text),
  ),
  fc.tuple(place, fc.boolean()).map(
    ([path, recursive]): Operation =>
      (files) =>
        files.remove(path, { recursive }),
  ),
  fc.tuple(place, fc.boolean()).map(
    ([path, recursive]): Operation =>
      (files) =>
        files.makeDirectory(path, { recursive }),
  ),
  fc.tuple(fc.constantFrom("move" as const, "copy" as const), place, place, fc.boolean()).map(
    ([verb, from, to, overwrite]): Operation =>
      (files) =>
        files[verb](from, to, { overwrite }),
  ),
);

/** Refusals are expected, but they must not leave unreported changes. */
async function attempt(files: Files, operations: readonly Operation[]): Promise<void> {
  for (const run of operations) {
    try {
      await run(files);
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
    }
  }
}

async function oddWorkspace() {
  const made = await temporaryWorkspace({
    a: "same",
    "d/a": "a\r\nb\r\n",
    "d/e/a": "same",
    "odd.bin": Buffer.from([0, 0xff, 1]),
  });
  const { root } = made;
  await symlink("d", join(root, "link"));
  await symlink("/nowhere", join(root, "d/b"));
  await mkdir(join(root, "x"), { mode: 0o700 });
  await chmod(join(root, "a"), 0o640);
  await chmod(join(root, "d/e"), 0o711);
  return made;
}

test("reverting any changes restores bytes, modes and links, and reverting the revert makes the changes again", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 8 }), async (operations) => {
      const { root, files, workspace, scope, changes } = await oddWorkspace();
      const before = await snapshot(root);
      await attempt(files, operations);
      const after = await snapshot(root);
      const reverted = await workspace.revert([...changes], scope);
      expect(await snapshot(root)).toEqual(before);
      await workspace.revert(reverted, scope);
      expect(await snapshot(root)).toEqual(after);
    }),
    { numRuns: fuzzRuns({ sample: 20, full: 2000 }) },
  );
}, 600_000);

test("a preview of any changes touches nothing, and plans the same changes", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 8 }), async (operations) => {
      const { root, workspace, scope, files, changes } = await oddWorkspace();
      const before = await snapshot(root);
      const planned: typeof changes = [];
      const preview = workspace.files({
        ...scope,
        mode: "preview",
        onChange: (change) => planned.push(change),
      });
      await attempt(preview, operations);
      await preview.preview?.();
      expect(await snapshot(root)).toEqual(before);
      const listed = await preview.list(".", { recursive: true });
      await attempt(files, operations);
      expect(planned).toEqual(changes);
      const really = await files.list(".", { recursive: true });
      expect(listed.entries.map(namesOf)).toEqual(really.entries.map(namesOf));
    }),
    { numRuns: fuzzRuns({ sample: 20, full: 2000 }) },
  );
}, 600_000);

function namesOf({ path, type, linkTarget }: { path: string; type: string; linkTarget?: string }): string {
  return [path, type, linkTarget].join(" ");
}

function contentsOf(root: string, names: readonly string[]): Promise<string[]> {
  return Promise.all(names.map((name) => readFile(join(root, name), "utf8")));
}
