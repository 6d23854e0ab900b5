import { readFile, realpath, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { relativeInside } from "../../../shared/relative-inside.ts";
import { filesOfStore } from "../../store/index.ts";

/** By the number that Linux gives a file system in `statfs`. */
const networkFileSystems = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xfe534d42, "SMB"],
  [0xff534d42, "CIFS"],
  [0x5346414f, "AFS"],
  [0x6b414653, "AFS"],
  [0x73757245, "Coda"],
  [0x0c36400, "Ceph"],
  [0x0bd00bd0, "Lustre"],
  [0x19830326, "BeeGFS"],
  [0x20030528, "OrangeFS"],
  [0xaad7aaea, "PanFS"],
  [0x47504653, "GPFS"],
  [0x01161970, "GFS2"],
  [0x7461636f, "OCFS2"],
  [0x01021997, "9P"],
  [0x786f4256, "VirtualBox shared folders"],
  [0xbacbacbc, "VMware shared folders"],
  [0x7c7c6673, "Parallels shared folders"],
]);

/** The number of all file systems in user space. Most are of this machine; the list of mounts tells which it is. */
const userSpace = 0x65735546;

/** Types in the list of mounts, where the source does not show that the files are on another machine. */
const networkPrograms: ReadonlySet<string> = new Set([
  ...["virtiofs", "fuse.sshfs", "fuse.glusterfs", "fuse.ceph", "fuse.ceph-fuse", "fuse.mfs", "fuse.juicefs"],
  ...["fuse.s3fs", "fuse.gcsfuse", "fuse.goofys", "fuse.rclone", "fuse.blobfuse", "fuse.blobfuse2"],
  ...["fuse.curlftpfs", "fuse.smbnetfs", "fuse.gvfsd-fuse", "fuse.seaweedfs", "fuse.mount-s3"],
  ...["fuse.vmhgfs-fuse", "fuse.osxfs", "fuse.grpcfuse"],
]);

/** Where a runtime's state is, if that is on a network file system, in words; undefined if it is not. */
export async function findNetworkState(stateFolder: string, store: string | undefined) {
  for (const place of [stateFolder, ...filesOfStore(store).slice(0, 1)]) {
    const network = await findNetwork(place);
    if (network !== undefined) return describeNetwork(place, network);
  }
  return undefined;
}

/** The network file system that a place is on; undefined for one of this machine, and where the system does not say. */
export async function findNetwork(
  place: string,
  { typeOf = typeOfFolder, readMounts = readOwnMounts }: MountFacts = {},
): Promise<string | undefined> {
  if (process.platform !== "linux") return undefined;
  let type: number;
  try {
    type = (await typeOf(place)) >>> 0;
  } catch {
    // It may not exist yet; then it will be where its parent is.
    return dirname(place) === place ? undefined : findNetwork(dirname(place), { typeOf, readMounts });
  }
  if (type !== userSpace) return networkFileSystems.get(type);
  return findProgram(await realpath(place).catch(() => place), await readMounts().catch(() => ""));
}

interface MountFacts {
  readonly typeOf?: (folder: string) => Promise<number>;
  /** In the format of `/proc/self/mountinfo`. */
  readonly readMounts?: () => Promise<string>;
}

async function typeOfFolder(folder: string): Promise<number> {
  return (await statfs(folder)).type;
}

function readOwnMounts(): Promise<string> {
  return readFile("/proc/self/mountinfo", "utf8");
}

function findProgram(place: string, mounts: string): string | undefined {
  const around = mounts.split("\n").flatMap((line) => {
    const [about = "", filled = ""] = line.split(" - ");
    const point = unescaped(about.split(" ")[4] ?? "");
    const [type = "", source = ""] = filled.split(" ");
    const holds = point !== "" && (point === place || relativeInside(point, place) !== undefined);
    return holds ? [{ point, type, source: unescaped(source) }] : [];
  });
  // Of two at the same place, the later one hides the other.
  const nearest = around.toSorted((one, other) => one.point.length - other.point.length).at(-1);
  if (nearest === undefined) return undefined;
  const { type, source } = nearest;
  // `user@host:/folder`, `host:/volume`, `https://host/`; a path of this machine begins with a slash.
  const isElsewhere = networkPrograms.has(type) || /^[^/\s]+:/.test(source);
  return isElsewhere ? type.replace(/^fuse\./, "") : undefined;
}

/** Spaces and the like are written as `\040`. */
function unescaped(word: string): string {
  return word.replace(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)));
}

/** Why state does not belong there, and what to do. */
export function describeNetwork(place: string, network: string) {
  return {
    found: `${place} is on a network file system (${network}), where locks between machines cannot be relied on`,
    advice:
      "use it from one machine at a time, or set XDG_STATE_HOME, and store if it is given, to a place on this machine",
  };
}
