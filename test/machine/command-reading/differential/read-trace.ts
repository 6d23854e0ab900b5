import { posix } from "node:path";

/** Something that a traced command did, or tried to do. */
export interface Deed {
  readonly kind: "reads" | "writes" | "runs" | "connects";
  /** Absolute; for a connection, the address as the tracer shows it. */
  readonly path: string;
  readonly isFolder: boolean;
  readonly hasFailed: boolean;
  /** Made under a name that nothing had. */
  readonly isNew?: boolean;
  /** What was there before under another name. */
  readonly movedFrom?: string;
}

/** The folder that the runner tries to enter before a case, which tells in the trace whose process it is. */
export const markerFolder = "/nonexistent/case";

/** The system calls that the tracer has to note. */
export const tracedCalls = [
  ..."open openat openat2 creat execve execveat connect sendto sendmsg bind".split(" "),
  ..."clone clone3 fork vfork chdir fchdir".split(" "),
  ..."rename renameat renameat2 unlink unlinkat rmdir mkdir mkdirat link linkat symlink symlinkat".split(" "),
  ..."mknod mknodat truncate ftruncate chmod fchmod fchmodat chown fchown lchown fchownat".split(" "),
  ..."utime utimes futimesat utimensat setxattr lsetxattr fsetxattr removexattr mount umount2".split(" "),
];

/** What each case did, by its number, from the tracer's lines. */
export function readTrace(text: string): Map<number, Deed[]> {
  const calls = readCalls(text);
  const parents = new Map<number, number>();
  const starts = new Map<number, { number: number; index: number }>();
  for (const [index, { pid, name, args, result }] of calls.entries()) {
    if (/^(?:clone3?|v?fork)$/.test(name) && Number(result) > 0)
      parents.set(Number.parseInt(result, 10), pid);
    if (name === "chdir" && args.startsWith(`"${markerFolder}/`))
      starts.set(pid, { number: Number(args.slice(markerFolder.length + 2, -1)), index });
  }
  const deeds = new Map<number, Deed[]>();
  const programs = new Map<number, number>();
  const folders = followFolders(parents);
  for (const [index, call] of calls.entries()) {
    const folder = folders(call);
    const start = startOf(call.pid, starts, parents);
    if (start === undefined || index <= start.index) continue;
    const found = deeds.get(start.number) ?? [];
    deeds.set(start.number, found);
    for (const deed of deedsOf(call, folder)) {
      if (deed.kind === "runs") {
        const before = programs.get(start.number) ?? 0;
        programs.set(start.number, before + 1);
        // The first two are the runner's: what ends the case in time, and the shell that is given the command.
        if (before < 2) continue;
      }
      found.push(deed);
    }
  }
  return deeds;
}

interface Call {
  readonly pid: number;
  readonly name: string;
  readonly args: string;
  readonly result: string;
}

/** One entry for each system call, also where the tracer's line about it was cut in two by another process. */
function readCalls(text: string): Call[] {
  const unfinished = new Map<string, string>();
  const calls: Call[] = [];
  for (const line of text.split("\n")) {
    const [, pid = "", rest = ""] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const cut = / *<unfinished \.\.\.>$/.exec(rest);
    if (cut !== null) {
      unfinished.set(pid, rest.slice(0, cut.index));
      continue;
    }
    const resumed = /^<\.\.\. \w+ resumed>/.exec(rest);
    const whole = resumed === null ? rest : `${unfinished.get(pid) ?? ""}${rest.slice(resumed[0].length)}`;
    const parts = /^(\w+)\((.*)\) += (.*)$/.exec(whole);
    if (parts !== null)
      calls.push({ pid: Number(pid), name: parts[1]!, args: parts[2]!.trimEnd(), result: parts[3]! });
  }
  return calls;
}

function startOf<Start>(
  pid: number,
  starts: ReadonlyMap<number, Start>,
  parents: ReadonlyMap<number, number>,
): Start | undefined {
  for (let at: number | undefined = pid; at !== undefined; at = parents.get(at)) {
    const start = starts.get(at);
    if (start !== undefined) return start;
  }
  return undefined;
}

/** Where each process is: the tracer only says so of calls that take a folder. */
function followFolders(parents: ReadonlyMap<number, number>): (call: Call) => string {
  const folders = new Map<number, string>();
  return ({ pid, name, args, result }) => {
    const before = folders.get(pid) ?? folders.get(parents.get(pid) ?? pid) ?? "/";
    const [, told] = /AT_FDCWD<((?:[^>\\]|\\.)*)>/.exec(args) ?? [];
    const hasMoved = /^f?chdir$/.test(name) && result.startsWith("0");
    const folder = hasMoved ? pathsIn(args, before)[0]! : told === undefined ? before : plainText(told);
    folders.set(pid, folder);
    return folder;
  };
}

function deedsOf({ name, args, result }: Call, folder: string): Deed[] {
  const hasFailed = result.startsWith("-1");
  const deed = (kind: Deed["kind"], path: string): Deed => ({
    kind,
    path,
    hasFailed,
    isFolder: args.includes("O_DIRECTORY"),
    ...((args.includes("O_CREAT|O_EXCL") || name.startsWith("mkdir")) && { isNew: true }),
  });
  if (/^(?:clone3?|v?fork|f?chdir)$/.test(name)) return [];
  if (/^execve(?:at)?$/.test(name))
    return pathsIn(args.split(", [")[0]!, folder).map((path) => deed("runs", path));
  if (/^(?:connect|bind|send.*)$/.test(name))
    return addressIn(args).map((address) => deed("connects", address));
  if (/^open/.test(name)) {
    // A link that was not to be followed, and was not; a folder, which nobody writes as a file.
    if (/ELOOP|EISDIR/.test(result)) return [];
    const opened = pathInResult(result) ?? pathsIn(args, folder)[0];
    if (opened === undefined) return [];
    return [deed(/O_WRONLY|O_RDWR|O_CREAT|O_TRUNC/.test(args) ? "writes" : "reads", opened)];
  }
  const touched = touchedPaths(
    name,
    pathsIn(/^f\w+xattr$/.test(name) ? args.split(', "')[0]! : args, folder),
  );
  const movedFrom = /^(?:rename|link)/.test(name) ? touched[0] : undefined;
  return touched.map((path, index) => ({
    ...deed("writes", path),
    ...(index > 0 && movedFrom !== undefined && { movedFrom }),
  }));
}

/** Those of the texts among a call's arguments that are paths which it changes. */
function touchedPaths(name: string, paths: readonly string[]): readonly string[] {
  // The first path of a symbolic link is only its text, and the second text of an attribute its name.
  if (name.startsWith("symlink")) return paths.slice(-1);
  return name.includes("xattr") ? paths.slice(0, 1) : paths;
}

/** Internet addresses, and the sockets of other programs. */
function addressIn(args: string): string[] {
  const [, family, rest] = /\{sa_family=(AF_INET6?|AF_UNIX), (.*?)\}/.exec(args) ?? [];
  return family === undefined ? [] : [`${family} ${rest}`];
}

/** Each path among the arguments, made absolute by the folder that it is relative to. */
function pathsIn(args: string, current: string): string[] {
  const found: string[] = [];
  let folder = current;
  let isFolderUnused = false;
  for (const [, annotated, text] of args.matchAll(
    /(?:AT_FDCWD|\b\d+)<((?:[^>\\]|\\.)*)>|"((?:[^"\\]|\\.)*)"/g,
  )) {
    if (annotated !== undefined) {
      folder = plainText(annotated);
      isFolderUnused = true;
    } else {
      found.push(posix.resolve(folder, plainText(text!)));
      isFolderUnused = false;
    }
  }
  // Such as `ftruncate(3</a/b>, 0)`.
  return found.length === 0 && isFolderUnused ? [folder] : found;
}

function pathInResult(result: string): string | undefined {
  const [, path] = /^\d+<((?:[^>\\]|\\.)*)>/.exec(result) ?? [];
  return path === undefined ? undefined : plainText(path);
}

function plainText(text: string): string {
  return text.replace(/\\(?:x([0-9a-f]{2})|([0-7]{1,3})|(.))/g, (_, hex, octal, letter) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
    return { n: "\n", t: "\t", r: "\r", v: "\v", f: "\f" }[letter as string] ?? letter;
  });
}
