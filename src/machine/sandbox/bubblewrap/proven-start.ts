import { dirname, relative, resolve } from "node:path";
import { relativeInside } from "../../../shared/relative-inside.ts";
import type { StartableProgram } from "../sandbox.ts";
import type { Cover } from "./covers.ts";
import { escapePath, type MountTable } from "./mount-table.ts";
import { foldersAbove, isShown, type Mount } from "./mounts.ts";

/**
 * Gives a line for each mount of a place that users can change: where the mount must be, on which other mount, and
 * which folder it must show. Bubblewrap mounts by name, so a process that exchanges a folder for a link at that moment
 * could make the name stand for another folder.
 */
export function expectedMounts(
  { mounts, covers }: { readonly mounts: readonly Mount[]; readonly covers: readonly Cover[] },
  { machine, isTrusted }: { readonly machine: MountTable; isTrusted(path: string): boolean },
): readonly string[] {
  const pointOf = followLinks(mounts);
  const binds = mounts.filter(({ option }) => option.includes("bind"));
  const mounted = new Map(
    mounts.filter(({ option }) => isMounted(option)).map((mount) => [pointOf(mount.path), mount]),
  );
  // A mount of the machine comes along with the folder around it, unless the sandbox has mounted over that folder.
  const around = (point: string) => foldersAbove(point).flatMap((folder) => mounted.get(folder) ?? []);
  const places = new Set([
    ...mounted.keys(),
    ...covers.map(({ path }) => pointOf(path)),
    ...machine.points.filter((point) => around(point).slice(0, 1).some(isShown)),
  ]);
  const lineOf = (path: string, shows: string) => {
    const point = pointOf(path);
    const above = foldersAbove(point);
    const onto = above.length === 0 ? "-" : (above.find((folder) => places.has(folder)) ?? "/");
    return `${point} ${onto} ${shows}`;
  };
  const showing = (source: string, isReadOnly: boolean) => {
    const { device, root } = machine.locate(source);
    return `${device} ${root} ${isReadOnly ? "ro" : "-"}`;
  };
  return [
    ...binds
      .filter(({ path }) => !isTrusted(path))
      .map(({ path, source = path, option }) => lineOf(path, showing(source, option !== "bind"))),
    ...covers.map(({ path, kind }) =>
      lineOf(path, kind === "read-only" || kind === "pinned" ? showing(path, kind === "read-only") : "- - -"),
    ),
  ];
}

/** Where a path of the sandbox is, which has its own links, such as that at `/var/tmp`. */
function followLinks(mounts: readonly Mount[]): (path: string) => string {
  const links = mounts.filter(({ option }) => option === "symlink");
  return (path) => {
    const link = links.find((each) => relativeInside(each.path, path) !== undefined);
    if (link === undefined) return escapePath(path);
    return escapePath(resolve(dirname(link.path), link.source ?? "", relative(link.path, path)));
  };
}

const isMounted = (option: Mount["option"]) => option !== "dir" && option !== "symlink" && option !== "file";

/**
 * Starts a sandbox, whose program runs once the mounts are the expected ones, and not at all otherwise. They are
 * compared from outside: a process that makes a mount go astray could put it over the shell inside that looks, or over
 * `/proc`. A mount stays on the folder that it was made on, so the comparison holds while the program runs. Closes the
 * stray descriptors too: Node passes them on, and a folder among them would be a way out.
 */
export function startProven(
  bubblewrap: Pick<StartableProgram, "file" | "args">,
  {
    shell,
    list,
    strays,
  }: { readonly shell: string; readonly list: number | undefined; readonly strays: readonly number[] },
): Pick<StartableProgram, "file" | "args"> {
  const closing = strays.map((number) => `exec ${number}>&-\n`).join("");
  if (list === undefined && closing === "") return bubblewrap;
  const { file, args } = bubblewrap;
  const script = `${closing}${list === undefined ? 'exec "$@"' : prove(list)}`;
  return {
    file: shell,
    args: ["--norc", "--noprofile", "-p", "-c", script, "bash", file, ...args],
  };
}

/**
 * Bubblewrap tells the number of its process in the sandbox, gives up its capabilities when everything is mounted, and
 * then waits for a word. It holds the other end of that pipe as well, so that nothing starts if the word never comes.
 *
 * The table tells by which names the folders go at this moment, so it is read again while another process keeps renaming them.
 * A mount that is in the wrong place never shows up in the right one on the right mount.
 */
function prove(list: number): string {
  return `set -f
are_as_expected() {
  local line table below
  local -A id=() at=() onto=() shows=() mode=()
  mapfile -t table <"/proc/$inside/mountinfo" || return
  for line in "\${table[@]}"; do
    set -- $line
    id[$5]=$1 at[$1]=$5 onto[$1]=$2 shows[$5]="$3 $4" mode[$5]=\${6%%,*}
  done
  for line in "\${expected[@]}"; do
    set -- $line
    below=\${onto[\${id[$1]-none}]-none}
    # Beneath it, there may be a mount of the machine in the same place.
    while [[ $2 != - && \${at[$below]-} == "$1" ]]; do below=\${onto[$below]}; done
    [[ $2 == - || $below == "\${id[$2]-nothing}" ]] || return
    [[ $3 == - || \${shows[$1]-} == "$3 $4" ]] || return
    [[ $5 == - || \${mode[$1]-} == "$5" ]] || return
  done
}
watch() {
  local told inside status tries
  mapfile -t expected <&${list}
  read -r -d '}' told
  [[ $told =~ '"child-pid": '([0-9]+) ]] || return
  inside=\${BASH_REMATCH[1]}
  until [[ $status == *CapEff:?0000000000000000* ]]; do
    # Until it runs its program, the process inside does not end with the bubblewrap outside.
    kill -0 $$ || { kill -KILL "$inside"; return; }
    kill -0 "$inside" || return
    read -rt 0.001 <>"/proc/$BASHPID/fd/1"
    IFS= read -r -d '' status <"/proc/$inside/status"
  done
  for ((tries = ${maxTries}; tries > 0; tries--)); do
    # The list is marked as well: without a mark, nothing was run.
    are_as_expected && kill -0 $$ && { echo >&${list}; echo proven; return; }
  done
  echo 'The command was not run: while its sandbox was made, folders of the workspace were moved or exchanged. Run it again.' >&3
  kill -KILL "$inside"
}
coproc watch { watch 3>&2 2>/dev/null; }
# Opened anew: bash closes its own when it becomes another program.
exec ${list}<&- {told}>"/proc/$$/fd/\${watch[1]}" {blocked}<>"/proc/$$/fd/\${watch[0]}"
exec "$1" --info-fd "$told" --block-fd "$blocked" "\${@:2}"`;
}

// Reading the table takes a millisecond or two.
const maxTries = 30;
