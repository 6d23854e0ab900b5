import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { PackedPackage } from "./pack-package.ts";

export const projectFolder = fileURLToPath(new URL("../../..", import.meta.url));

export type DocumentReader = Awaited<ReturnType<typeof openReader>>;

/** Somebody with a project of their own, in which the package is installed, and a key for a model at this address. */
export async function openReader({ modelUrl, packed }: { modelUrl?: string; packed?: PackedPackage } = {}) {
  const home = await realpath(await mkdtemp(join(tmpdir(), "toolwright-reader-")));
  const project = join(home, "project");
  const modules = join(project, "node_modules");
  const commands = join(modules, ".bin");
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(project, path)), { recursive: true });
    await writeFile(join(project, path), text);
  };
  await mkdir(commands, { recursive: true });
  const packageFolder = packed === undefined ? projectFolder : join(modules, "toolwright");
  if (packed === undefined) {
    await write("package.json", '{ "type": "module" }');
    await write("notes.txt", "three small words\n");
    await write(".env", "KEY=value\n");
    await symlink(projectFolder, join(modules, "toolwright"));
    for (const name of ["@ai-sdk", "@types", "ai", "zod"])
      await symlink(join(projectFolder, "node_modules", name), join(modules, name));
  } else await packed.install(modules);
  const filesServer = "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js";
  const programs = {
    toolwright: join(packageFolder, "dist/cli/main.js"),
    "mcp-server-filesystem": join(projectFolder, filesServer),
  };
  for (const [name, path] of Object.entries(programs)) {
    const program = `#!/bin/sh\nexec node '${path}' "$@"\n`;
    await writeFile(join(commands, name), program, { mode: 0o755 });
  }

  const env = {
    PATH: [commands, dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: home,
    // What an example leaves there goes with it.
    TMPDIR: home,
    XDG_STATE_HOME: join(home, "state"),
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    ...(modelUrl && { ANTHROPIC_API_KEY: "any", ANTHROPIC_BASE_URL: modelUrl }),
  };
  return {
    project,
    write,
    async run(command: string, words: readonly string[], where: string): Promise<string> {
      try {
        return (await promisify(execFile)(command, words, { cwd: project, env })).stdout;
      } catch (error) {
        const { message, stdout } = error as Error & { stdout?: string };
        throw new Error(`${where} fails: ${message}\n${stdout ?? ""}`, { cause: error });
      }
    },
    /** Without what differs from one run to the next: ids, times, and the width of columns that hold them. */
    comparable: (text: string) =>
      text
        .replaceAll(project, "/project")
        .replace(/\b(call|session)_[0-9a-z]{16,}/g, "$1_id")
        .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ/g, "TIME")
        .replace(/\b[\d.]+ m?s\b/g, "DURATION")
        .replace(/[ \t]+/g, " ")
        .trim(),
    leave: () => rm(home, { recursive: true, force: true }),
  };
}
