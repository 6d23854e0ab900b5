import { access, constants, mkdir, readdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

interface GroupLimits {
  readonly maxMemoryBytes: number;
  /** Processes and their threads. */
  readonly maxTasks: number;
}

/** A folder of the kernel in which groups are made, and the files of a group that set its limits. */
interface Hierarchy {
  readonly parent: string;
  readonly settings: (limits: GroupLimits) => Readonly<Record<string, number>>;
  /** The file in which the kernel counts processes of the group that it killed for memory. */
  readonly counter?: string;
}

/**
 * Opens a control group: bounds that the kernel keeps for all processes of a tool together, at every moment. It returns undefined where this user may not make one, such as in
 * most containers: then a tool is bounded only by the counts of the process outside.
 */
export async function openControlGroup(limits: GroupLimits) {
  found ??= findHierarchies().catch(() => []);
  const hierarchies = await found;
  if (hierarchies.length === 0) return undefined;
  const name = `${ownPrefix}${process.pid}-${++made}`;
  const folders = hierarchies.map(({ parent }) => join(parent, name));
  /** Removes the group. The caller waits until its processes are gone. */
  const remove = async () => void (await Promise.all(folders.map(removeGroup)));
  try {
    for (const [index, { settings }] of hierarchies.entries()) {
      const folder = folders[index]!;
      await mkdir(folder);
      for (const [file, value] of Object.entries(settings(limits)))
        await writeFile(join(folder, file), String(value));
    }
  } catch {
    await remove();
    return undefined;
  }
  const counters = hierarchies.flatMap(({ counter }, index) =>
    counter === undefined ? [] : [join(folders[index]!, counter)],
  );
  return {
    /** Files that a process writes its id into to belong to it, with everything that it starts later. */
    doors: folders.map((folder) => join(folder, "cgroup.procs")),
    remove,
    /** Whether a process of it was killed because there was no memory left for it. */
    async wasFull() {
      const texts = await Promise.all(counters.map((file) => readFile(file, "utf8").catch(() => "")));
      return texts.some((text) => /^oom_kill [1-9]/m.test(text));
    },
  };
}

/** A command line that enters the group, if it is let in, and becomes the given one. */
export function enterGroup(
  { doors }: { readonly doors: readonly string[] },
  file: string,
  args: readonly string[],
): readonly [string, string[]] {
  return ["/bin/sh", ["-c", enterAndBecome, "sh", String(doors.length), ...doors, file, ...args]];
}

const enterAndBecome =
  'left=$1; shift; while [ "$left" -gt 0 ]; do echo $$ 2>/dev/null >"$1"; shift; left=$((left - 1)); done; exec "$@"';

const ownPrefix = "toolwright-";
let found: Promise<readonly Hierarchy[]> | undefined;
let made = 0;

async function findHierarchies(): Promise<readonly Hierarchy[]> {
  const [mounts, memberships] = await Promise.all(
    ["mountinfo", "cgroup"].map((name) => readFile(`/proc/self/${name}`, "utf8")),
  );
  const candidates = findCandidates(mounts!, memberships!);
  const usable = (await unified(candidates.unified)) ?? (await separate(candidates)) ?? [];
  for (const { parent } of usable) await removeLeftOver(parent);
  return usable;
}

interface Candidates {
  /** The folders of the groups that this process is in, one for each resource that a group bounds. */
  readonly unified?: string;
  readonly memory?: string;
  readonly pids?: string;
}

export function findCandidates(mounts: string, memberships: string): Candidates {
  const own = new Map<string, string>();
  for (const line of memberships.trim().split("\n")) {
    const [, controllers = "", ...path] = line.split(":");
    for (const each of controllers.split(",")) own.set(each, path.join(":"));
  }
  const folders: Record<string, string> = {};
  for (const line of mounts.trim().split("\n")) {
    const [before = "", after = ""] = line.split(" - ");
    const [, , , root = "/", point = ""] = before.split(" ");
    const [type = "", , options = ""] = after.split(" ");
    const folderOf = (path = "/") =>
      join(point, root !== "/" && path.startsWith(root) ? path.slice(root.length) : path);
    if (type === "cgroup2") folders.unified ??= folderOf(own.get(""));
    if (type === "cgroup")
      for (const each of ["memory", "pids"])
        if (options.split(",").includes(each)) folders[each] ??= folderOf(own.get(each));
  }
  return folders;
}

/**
 * Finds the place for groups in version 2: beside our own group, since a group with processes can have no limited
 * groups below it.
 */
async function unified(own: string | undefined): Promise<Hierarchy[] | undefined> {
  if (own === undefined) return undefined;
  for (const parent of [dirname(own), own]) {
    const controllers = await readFile(join(parent, "cgroup.subtree_control"), "utf8").catch(() => "");
    const isComplete = ["memory", "pids"].every((each) => controllers.trim().split(" ").includes(each));
    if (!isComplete || !(await isWritable(join(parent, "cgroup.procs")))) continue;
    return [
      {
        parent,
        settings: ({ maxMemoryBytes, maxTasks }) => ({
          "memory.max": maxMemoryBytes,
          "memory.oom.group": 1,
          "pids.max": maxTasks,
        }),
        counter: "memory.events",
      },
    ];
  }
  return undefined;
}

/** Finds the places for groups in version 1, which has a hierarchy for each resource. */
async function separate({ memory, pids }: Candidates): Promise<Hierarchy[] | undefined> {
  if (memory === undefined || pids === undefined) return undefined;
  if (!(await isWritable(memory)) || !(await isWritable(pids))) return undefined;
  return [
    {
      parent: memory,
      settings: ({ maxMemoryBytes }) => ({ "memory.limit_in_bytes": maxMemoryBytes }),
      counter: "memory.oom_control",
    },
    { parent: pids, settings: ({ maxTasks }) => ({ "pids.max": maxTasks }) },
  ];
}

/** Removes the groups of processes that were killed before they could do it themselves. */
async function removeLeftOver(parent: string): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    const [, pid] = /^toolwright-(\d{1,10})-\d{1,10}$/.exec(name) ?? [];
    if (pid !== undefined && !(await isThere(`/proc/${pid}`))) await removeGroup(join(parent, name));
  }
}

/** The kernel takes a moment to forget processes that have just ended. */
async function removeGroup(folder: string): Promise<void> {
  for (let waitMs = 5; waitMs < 500; waitMs *= 2) {
    const error = await rmdir(folder).then(
      () => undefined,
      (thrown: NodeJS.ErrnoException) => thrown,
    );
    if (error?.code !== "EBUSY") return;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

function isWritable(path: string): Promise<boolean> {
  return isThere(path, constants.W_OK);
}

function isThere(path: string, mode = constants.F_OK): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}
