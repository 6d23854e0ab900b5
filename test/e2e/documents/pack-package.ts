import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { projectFolder } from "../../architecture/project-files.ts";

/** The package as it would be published. */
export interface PackedPackage {
  readonly paths: readonly string[];
  /** Unpacks it into a `node_modules`, with what it depends on, and without its optional parts. */
  install(modules: string): Promise<void>;
  remove(): Promise<void>;
}

export async function packPackage(): Promise<PackedPackage> {
  const run = promisify(execFile);
  const folder = await mkdtemp(join(tmpdir(), "toolwright-pack-"));
  // Without scripts: building now would take the files away from tests that use them.
  const pack = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
  const { stdout } = await run("npm", pack, { cwd: projectFolder });
  const [packed]: { filename: string; files: { path: string }[] }[] = JSON.parse(stdout);
  const archive = join(folder, packed!.filename);
  return {
    paths: packed!.files.map(({ path }) => path),
    async install(modules) {
      const own = join(modules, "toolwright");
      await mkdir(own, { recursive: true });
      await run("tar", ["-xzf", archive, "-C", own, "--strip-components=1"]);
      const { dependencies } = JSON.parse(await readFile(join(own, "package.json"), "utf8"));
      for (const name of Object.keys(dependencies)) {
        await mkdir(dirname(join(modules, name)), { recursive: true });
        await symlink(join(projectFolder, "node_modules", name), join(modules, name));
      }
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
