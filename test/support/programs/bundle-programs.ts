import { chmod, glob, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { type Program, programsFolder } from "./program-file.ts";

const projectFolder = join(import.meta.dirname, "../../..");

/**
 * Every `child-*.ts` is a program that tests start in a process of its own, most of them many times. Reading some five
 * hundred sources takes three times as long as reading the few files they are bundled into, which a whole run does once.
 * They then start the built supervisor and threads, so this is for runs that have just built them.
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (!isWholeRun(process.argv.slice(2))) return;
  // Within the project: a program finds packages, and this one's own files, from where it is.
  const folder = await mkdtemp(join(projectFolder, "test", ".programs-"));
  // Some are started as somebody else.
  await chmod(folder, 0o755);
  const input: Record<Program, string> = {};
  for await (const path of glob("test/**/child-*.ts", { cwd: projectFolder }))
    if (!path.endsWith(".test.ts")) input[path.slice(0, -".ts".length)] = path;
  const bundle = await rolldown({
    cwd: projectFolder,
    input,
    platform: "node",
    external: (id) => !id.startsWith(".") && !id.startsWith("/"),
    logLevel: "silent",
  });
  await bundle.write({ dir: folder, format: "esm", entryFileNames: "[name].js" });
  await bundle.close();
  process.env[programsFolder] = folder;
  return () => rm(folder, { recursive: true, force: true, maxRetries: 20 });
}

/** Not of some files alone, which somebody is working on. */
function isWholeRun(words: readonly string[]): boolean {
  return words.every((word) => word === "run" || word.startsWith("-"));
}
