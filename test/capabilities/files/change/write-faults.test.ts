import { execFile } from "node:child_process";
import { chmod, chown, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { openBlobStore } from "../../../../src/kernel/store/blobs/blob-store.ts";
import { needs } from "../../../support/needs.ts";
import { asOrdinaryUser } from "../as-ordinary-user.ts";
import { snapshot } from "../snapshot.ts";
import { temporaryWorkspace } from "../temporary-workspace.ts";

const run = promisify(execFile);

const testMounting = await needs("mount");
const testAsRoot = await needs("root");

/** Mounts a disk of 256 KB at the path. */
async function mountTinyDisk(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
  await run("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", path]);
  onTestFinished(async () => {
    await run("umount", [path]);
  });
}

testMounting("a full disk leaves the original, no leftover, and says so", async () => {
  const { root, files, changes } = await temporaryWorkspace();
  await mountTinyDisk(join(root, "tiny"));
  await writeFile(join(root, "tiny/a.txt"), "original");
  await writeFile(join(root, "large.txt"), "x".repeat(400_000));
  await mkdir(join(root, "both"));
  await writeFile(join(root, "both/a-small.txt"), "small");
  await writeFile(join(root, "both/b-large.txt"), "x".repeat(400_000));
  const before = await snapshot(root);
  const refusal = { code: "unavailable", message: expect.stringContaining("disk is full") };
  await expect(files.writeText("tiny/a.txt", "y".repeat(400_000))).rejects.toMatchObject(refusal);
  await expect(files.updateText("tiny/a.txt", () => "y".repeat(400_000))).rejects.toMatchObject(refusal);
  await expect(files.writeText("tiny/b.txt", "y".repeat(400_000))).rejects.toMatchObject(refusal);
  await expect(files.copy("large.txt", "tiny/c.txt")).rejects.toMatchObject(refusal);
  await expect(files.move("large.txt", "tiny/c.txt")).rejects.toMatchObject(refusal);
  await expect(files.copy("both", "tiny/both")).rejects.toMatchObject(refusal);
  await expect(files.move("both", "tiny/both")).rejects.toMatchObject(refusal);
  expect(await snapshot(root)).toEqual(before);
  expect(changes).toEqual([]);
});

testMounting("a change destroys nothing if the old content cannot be stored for undo", async () => {
  const { base, root, workspace, scope, changes } = await temporaryWorkspace({
    "a.txt": "x".repeat(400_000),
  });
  await mountTinyDisk(join(base, "tiny"));
  const blobs = await openBlobStore(join(base, "tiny/blobs"));
  const files = workspace.files({ ...scope, blobs });
  const before = await snapshot(root);
  await expect(files.writeText("a.txt", "new")).rejects.toMatchObject({ code: "unavailable" });
  await expect(files.remove("a.txt")).rejects.toMatchObject({ code: "unavailable" });
  expect(await snapshot(root)).toEqual(before);
  expect(changes).toEqual([]);
  expect(await readdir(join(base, "tiny/blobs"))).toEqual([]);
});

test("a folder that the user may not write to stays as it is", async () => {
  const { base, root, files, changes } = await temporaryWorkspace({ "closed/a.txt": "a", "b.txt": "b" });
  await Promise.all([chmod(base, 0o777), chmod(root, 0o777), chmod(join(base, "blobs"), 0o777)]);
  await chmod(join(root, "closed"), 0o555);
  const before = await snapshot(root);
  const refusal = { code: "access-denied" };
  await asOrdinaryUser(async () => {
    await expect(files.writeText("closed/a.txt", "x")).rejects.toMatchObject(refusal);
    await expect(files.writeText("closed/new.txt", "x")).rejects.toMatchObject(refusal);
    await expect(files.makeDirectory("closed/new")).rejects.toMatchObject(refusal);
    await expect(files.remove("closed/a.txt")).rejects.toMatchObject(refusal);
    await expect(files.move("closed/a.txt", "moved.txt")).rejects.toMatchObject(refusal);
    await expect(files.copy("b.txt", "closed/b.txt")).rejects.toMatchObject(refusal);
  });
  expect(await snapshot(root)).toEqual(before);
  expect(changes).toEqual([]);
});

testAsRoot("a setuid program of another user that we write loses its setuid bit", async () => {
  const { base, root, files } = await temporaryWorkspace({ "a.sh": "a" });
  await Promise.all([chmod(base, 0o777), chmod(root, 0o777), chmod(join(base, "blobs"), 0o777)]);
  await chown(join(root, "a.sh"), 1234, 1234);
  await chmod(join(root, "a.sh"), 0o4755);
  await asOrdinaryUser(() => files.writeText("a.sh", "b"));
  expect(await snapshot(root)).toEqual({ "a.sh": `file 755 ${Buffer.from("b").toString("base64")}` });
});

test("a folder that vanishes or moves away while its file is being changed gets nothing", async () => {
  const { root, outside, files } = await temporaryWorkspace({ "d/a.txt": "a", "e/a.txt": "a" });
  const vanishing = files.updateText("d/a.txt", async () => {
    await rm(join(root, "d"), { recursive: true });
    return "new";
  });
  await expect(vanishing).rejects.toMatchObject({ code: "not-found" });
  const moving = files.updateText("e/a.txt", async () => {
    await rename(join(root, "e"), join(outside, "e"));
    return "new";
  });
  await expect(moving).rejects.toMatchObject({ code: "not-found" });
  expect(await readdir(root)).toEqual([]);
  expect(await readFile(join(outside, "e/a.txt"), "utf8")).toBe("a");
});
