import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { drawQuarters, readFixture, upright } from "./quarters.ts";

// Our files are copied to where no package is installed but the named ones, and run there.
const project = new URL("../../../", import.meta.url).pathname;
let folder: string;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "images-")));
  for (const layer of ["machine", "shared", "tool"])
    await cp(join(project, "src", layer), join(folder, layer), { recursive: true });
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await writeFile(
    join(folder, "prepare.ts"),
    `import { readFile } from "node:fs/promises";
     import { prepareImage } from "./machine/images/prepare-image.ts";
     const bytes = await readFile(process.argv[2]!);
     const answer = await prepareImage(bytes).catch(({ code, message, hint }) => ({ code, message, hint }));
     process.stdout.write(JSON.stringify(answer));`,
  );
});

afterEach(() => rm(folder, { recursive: true, force: true }));

test("prepareImage without any package passes an image through that a model takes as it is", async () => {
  for (const format of ["jpeg", "png", "gif", "webp"] as const) {
    const bytes = await drawQuarters(upright).toFormat(format).toBuffer();
    expect(await prepareWith([], bytes)).toMatchObject({
      data: bytes.toString("base64"),
      width: 64,
      notes: [],
    });
  }
});

test("prepareImage without any package names the one that turning, downsizing and converting need", async () => {
  const images = [
    drawQuarters(upright).withMetadata({ orientation: 6 }).jpeg(),
    drawQuarters(upright, { width: 2001, height: 2 }).png(),
    drawQuarters(upright).tiff(),
    drawQuarters(upright).avif(),
  ].map((image) => image.toBuffer());
  for (const bytes of [...(await Promise.all(images)), await readFixture("quarters.heic")]) {
    expect(await prepareWith([], bytes)).toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("package sharp"),
      hint: expect.stringContaining("npm install sharp"),
    });
  }
});

test("prepareImage without any package refuses an image that was cut off or has too many pixels", async () => {
  for (const format of ["jpeg", "png", "gif", "webp"] as const) {
    const bytes = await drawQuarters(upright).toFormat(format).toBuffer();
    expect(await prepareWith([], bytes.subarray(0, -8))).toMatchObject({ code: "binary-file" });
  }
  const huge = await drawQuarters(upright).png().toBuffer();
  huge.writeUInt32BE(1_000_000, 16);
  expect(await prepareWith([], huge)).toMatchObject({ code: "too-large" });
});

test("prepareImage without the package that decodes HEIC names it", async () => {
  expect(await prepareWith(["sharp"], await readFixture("quarters.heic"))).toMatchObject({
    code: "unavailable",
    message: expect.stringContaining("package heic-decode"),
  });
});

test("prepareImage prints nothing of what the HEIC decoder says about damaged data", async () => {
  const bytes = await readFixture("quarters.heic");
  // Had it written to the output, the answer could not be read.
  const answer = await prepareWith(["sharp", "heic-decode"], bytes.subarray(0, -60));
  expect(answer).toMatchObject({ code: "binary-file" });
});

/** What is said of an image where only these packages are installed. */
async function prepareWith(packages: readonly string[], bytes: Buffer): Promise<unknown> {
  for (const name of packages) {
    const link = join(folder, "node_modules", name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(await realpath(join(project, "node_modules", name)), link);
  }
  const image = join(folder, "image");
  await writeFile(image, bytes);
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, [join(folder, "prepare.ts"), image]);
  return JSON.parse(stdout);
}
