import { readFile } from "node:fs/promises";
import { isAbsolute, resolve as resolvePath } from "node:path";
import { bareEnvironment, markerVariable, sandboxVariable } from "../../../shared/process-environment.ts";
import { quoteControls } from "../../../shared/text/quote-controls.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { profileEnvironment } from "../profile-environment.ts";
import { sharedPlaceholders } from "../protected/placeholders.ts";
import { movableBy } from "../protected/protected-places.ts";
import { createNameScanner } from "../protected/scan-names.ts";
import type { ConfinedProgram, Confining, SandboxBounds, StartableProgram } from "../sandbox.ts";
import { seccompFilter } from "../seccomp/seccomp-filter.ts";
import { arrangeCovers, type Cover, coverArguments, hideAll } from "./covers.ts";
import { createInheritedFiles, type InheritedFiles, type MarkableFile } from "./inherited-files.ts";
import {
  hideRecords,
  type MaskedPaths,
  maskSensitive,
  maskSockets,
  obeyRules,
  protectRoots,
} from "./masks.ts";
import { parseMountTable } from "./mount-table.ts";
import { type Mount, mountArguments } from "./mounts.ts";
import { type NewEntries, stageNewEntries } from "./new-entries.ts";
import { expectedMounts, startProven } from "./proven-start.ts";
import { readSystemEntries } from "./system-entries.ts";
import { type SystemView, visibleMounts, writableOutside } from "./visible-mounts.ts";

interface BubblewrapOptions extends SystemView, MaskedPaths {
  /** The paths of bubblewrap and of bash. */
  readonly file: string;
  readonly shell: string;
  /** Inherited descriptors to close before a command starts. */
  readonly strays: readonly number[];
}

/** Runs commands in their own namespaces, on a file system that contains only the files they need. */
export function createBubblewrap(options: BubblewrapOptions): Confining {
  return { kind: "bubblewrap", wrap: async (program, box) => wrap(options, program, withPlainPaths(box)) };
}

async function wrap(
  options: BubblewrapOptions,
  program: StartableProgram,
  box: SandboxBounds,
): Promise<ConfinedProgram> {
  const descriptors = createInheritedFiles();
  let held: readonly string[] = [];
  let created: NewEntries | undefined;
  let list: MarkableFile | undefined;
  const finish = async () => {
    const [paths, entries] = [held, created];
    [held, created] = [[], undefined];
    await list?.close();
    await entries?.settle();
    if (paths.length > 0) await options.placeholders.release(paths);
  };
  try {
    const environment = box.isBare ? program.environment : profileEnvironment(program.environment, box);
    // Files that a command creates after this process has ended could not be moved any more.
    created = await stageNewEntries(box.isKept ? [] : writableOutside(options, box));
    const visible = await visibleMounts(options, box, { environment, created: created.mounts });
    const mounts = box.isBare ? visible.map(withoutRoom) : visible;
    const mayWrite = box.profile !== "read-only";
    const found = await Promise.all(options.roots.map(options.findNames));
    const protection = mayWrite ? await protectRoots(options, found, box) : undefined;
    held = protection?.held ?? [];
    const covers = arrangeCovers(
      [
        ...(protection?.covers ?? []),
        ...(await maskSensitive(options, found, box)),
        ...(await maskSockets(found, box)),
        ...(mayWrite ? await hideAll(options.programs.masked, options.programs.shown) : []),
        ...(await obeyRules(box, mounts)),
        ...(await hideRecords(options, mounts)),
      ],
      { mounts, isMovable: movableBy(box, options.roots) },
    );
    const args = [
      ...isolation(box),
      ...setEnvironment(environment),
      ...(await Promise.all(mounts.map((mount) => mountArguments(mount, descriptors)))).flat(),
      ...hideMachine,
      ...(await Promise.all(covers.map((cover) => coverArguments(cover, descriptors)))).flat(),
      ...(options.roots.includes("/") ? [] : ["--remount-ro", "/"]),
      ...(box.isBare ? ["--remount-ro", "/dev"] : []),
      ...["--chdir", box.directory],
      ...["--seccomp", String(await addFilter(descriptors, box))],
    ];
    list = await addExpected(descriptors, { mounts, covers }, options.system[box.profile]);
    const argsDescriptor = await descriptors.add(joinArguments(args));
    const bubblewrap = {
      file: options.file,
      args: ["--args", String(argsDescriptor), "--", program.file, ...program.args],
    };
    return {
      ...startProven(bubblewrap, {
        shell: options.shell,
        list: list?.number,
        strays: options.strays.filter((each) => !descriptors.has(each)),
      }),
      isSandbox: true,
      hasStarted: async () => list === undefined || list.isMarked(),
      // Bubblewrap itself runs outside the sandbox, so the program's environment must not reach it.
      environment: { ...bareEnvironment, ...markFor(program) },
      descriptors: descriptors.numbers(),
      release: () => descriptors.close(),
      finish,
    };
  } catch (error) {
    await Promise.all([descriptors.close(), finish()]);
    throw error;
  }
}

/**
 * Until it starts the program, bubblewrap has the machine at /oldroot, and creates mount points wherever a link leads
 * that has just taken a folder's place. So the program's view of the files is put over the machine, and covers take
 * their sources from it too. Its path there must not exist on the machine, where it would be looked up first.
 */
const hideMachine = ["--bind-try", "/../oldroot/../newroot", "../oldroot"];

/**
 * Marks a sandbox to be found later: it dies with this process, except if that is killed before bubblewrap has asked
 * the kernel for it.
 */
function markFor({ environment }: StartableProgram): Record<string, string> {
  const marker = environment[markerVariable];
  return marker === undefined ? {} : { [sandboxVariable]: marker };
}

/** Mounts an empty folder instead of a new file system, so that nothing can be created in it. */
function withoutRoom(mount: Mount): Mount {
  return mount.option === "tmpfs" ? { path: mount.path, option: "dir" } : mount;
}

function withPlainPaths({ readable = [], writable = [], ...box }: SandboxBounds): SandboxBounds {
  return { ...box, readable: readable.map(plainPath), writable: writable.map(plainPath) };
}

/** `/a/` and `/b/../a` would not be recognised as `/a`. */
function plainPath(path: string): string {
  if (!isAbsolute(path)) throw new ToolError("invalid-input", `not an absolute path: ${quoteControls(path)}`);
  return resolvePath(path);
}

function isolation({ profile, isKept = false, hasTerminal = false }: SandboxBounds): string[] {
  return [
    "--unshare-all",
    ...(profile === "network" ? ["--share-net"] : []),
    ...["--cap-drop", "ALL"],
    ...(isKept ? [] : ["--die-with-parent"]),
    // A kept command stays in its process group, which is the only way to signal it later.
    ...(isKept || hasTerminal ? [] : ["--new-session"]),
  ];
}

function setEnvironment(environment: StartableProgram["environment"]): string[] {
  const variables = Object.entries(environment).map(([name, value]): [string, string] =>
    // Inside, only /tmp exists for temporary files.
    name === "TMPDIR" ? [name, "/tmp"] : [name, value],
  );
  return ["--clearenv", ...variables.flatMap(([name, value]) => ["--setenv", name, value])];
}

/** Undefined if there is nothing that anybody could exchange. */
async function addExpected(
  descriptors: InheritedFiles,
  made: { readonly mounts: readonly Mount[]; readonly covers: readonly Cover[] },
  system: readonly { readonly path: string }[],
): Promise<MarkableFile | undefined> {
  const trusted = new Set(system.map(({ path }) => path));
  const machine = parseMountTable(await readFile("/proc/self/mountinfo", "utf8"));
  const lines = expectedMounts(made, { machine, isTrusted: (path) => trusted.has(path) });
  return lines.length === 0 ? undefined : descriptors.addMarkable(Buffer.from(`${lines.join("\n")}\n`));
}

async function addFilter(descriptors: InheritedFiles, { profile }: SandboxBounds): Promise<number> {
  const filter = seccompFilter(profile, process.arch);
  if (filter === undefined) throw new ToolError("unavailable", `no system call filter for ${process.arch}`);
  return descriptors.add(filter);
}

/** Arguments are separated by NUL, so one that contains a NUL could inject further arguments. */
function joinArguments(args: readonly string[]): Buffer {
  if (args.some((arg) => arg.includes("\0"))) {
    throw new ToolError(
      "invalid-input",
      "a path or an environment variable of the command contains a NUL character",
    );
  }
  return Buffer.from(`${args.join("\0")}\0`);
}

/** Bubblewrap without a workspace: nothing but the system, and these files. */
export async function createBareBubblewrap(
  { file, shell }: Pick<BubblewrapOptions, "file" | "shell">,
  { strays = [], readable = [] }: Partial<Pick<BubblewrapOptions, "strays" | "readable">> = {},
): Promise<Confining> {
  return createBubblewrap({
    file,
    shell,
    strays,
    system: await readSystemEntries(),
    programs: { shown: [], masked: [] },
    home: "/",
    roots: [],
    readable,
    hidden: [],
    protectedNames: [],
    homeNames: [],
    codePaths: [],
    placeholders: sharedPlaceholders(),
    findNames: createNameScanner({ protectedNames: [], sensitiveNames: [] }),
    findPublic: async () => new Set(),
  });
}
