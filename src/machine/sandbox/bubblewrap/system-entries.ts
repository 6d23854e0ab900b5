import { lstat, realpath, stat } from "node:fs/promises";
import { relativeInside } from "../../../shared/relative-inside.ts";
import type { SandboxProfile } from "../sandbox.ts";

/** A part of the system that commands can see; everything else does not exist for them. */
export interface SystemEntry {
  readonly path: string;
  readonly kind: "folder" | "file" | "link";
  /** Its real path on the machine, or the link's target. */
  readonly source: string;
}

export type SystemEntries = Readonly<Record<SandboxProfile, readonly SystemEntry[]>>;

/** Finds out which of these paths exist on this machine, and whether they are links. */
export async function readSystemEntries(): Promise<SystemEntries> {
  const [base, writing, network] = await Promise.all([
    readEntries([...programFolders, ...baseSettings]),
    readEntries(writingSettings),
    readEntries(networkSettings),
  ]);
  return {
    "read-only": base,
    "workspace-write": [...base, ...writing],
    network: [...base, ...writing, ...network],
  };
}

export const programFolders = [
  ...["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"],
  ...["/nix/store", "/gnu/store"],
];

// Each folder here costs a mount, about 0.2 ms per command; files are copied.
const baseSettings = [
  ...["/etc/alternatives", "/etc/group", "/etc/ld.so.cache", "/etc/localtime"],
  ...["/etc/nsswitch.conf", "/etc/os-release", "/etc/passwd"],
];

// Not all of /etc/ssl and /etc/pki: they contain private keys.
const writingSettings = [
  ...["/etc/crypto-policies", "/etc/gitconfig", "/etc/hosts", "/etc/npmrc", "/etc/pip.conf"],
  ...["/etc/pki/ca-trust", "/etc/pki/tls/cert.pem", "/etc/pki/tls/certs"],
  ...["/etc/ssl/cert.pem", "/etc/ssl/certs", "/etc/ssl/openssl.cnf"],
];

const networkSettings = ["/etc/resolv.conf", "/etc/services"];

async function readEntries(paths: readonly string[]): Promise<SystemEntry[]> {
  const entries = await Promise.all(paths.map(readEntry));
  return entries.filter((entry) => entry !== undefined);
}

async function readEntry(path: string): Promise<SystemEntry | undefined> {
  try {
    const isLink = (await lstat(path)).isSymbolicLink();
    const source = await realpath(path);
    if (isLink && isVisible(source)) return { path, kind: "link", source };
    // A link to something invisible (/etc/resolv.conf often points into /run) is replaced by its target.
    const isFolder = (await stat(source)).isDirectory();
    return { path, kind: isFolder ? "folder" : "file", source };
  } catch {
    return undefined;
  }
}

function isVisible(path: string): boolean {
  return programFolders.some((folder) => relativeInside(folder, path) !== undefined);
}
