import { statfs } from "node:fs/promises";
import { dirname } from "node:path";

/** By the number that Linux gives a file system in `statfs`. */
const networkFileSystems = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xfe534d42, "SMB"],
  [0xff534d42, "CIFS"],
  [0x5346414f, "AFS"],
  [0x0c36400, "Ceph"],
  [0x0bd00bd0, "Lustre"],
  [0x47504653, "GPFS"],
  [0x7461636f, "OCFS2"],
  [0x01021997, "9P"],
  [0x786f4256, "VirtualBox shared folders"],
  [0xbacbacbc, "VMware shared folders"],
]);

/** The network file system that a folder is on; undefined for one of this machine, and where the system does not say. */
export async function findNetwork(
  folder: string,
  typeOf: (folder: string) => Promise<number> = async (path) => (await statfs(path)).type,
): Promise<string | undefined> {
  if (process.platform !== "linux") return undefined;
  try {
    return networkFileSystems.get((await typeOf(folder)) >>> 0);
  } catch {
    // It may not exist yet; then it will be where its parent is.
    return dirname(folder) === folder ? undefined : findNetwork(dirname(folder), typeOf);
  }
}

/** Why state does not belong there, and what to do. */
export function describeNetwork(folder: string, network: string): { found: string; advice: string } {
  return {
    found: `${folder} is on a network file system (${network}), where locks between machines cannot be relied on`,
    advice: "use it from one machine at a time, or set XDG_STATE_HOME to a folder on this machine",
  };
}
