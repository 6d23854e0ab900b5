import { lstat, realpath, stat } from "node:fs/promises";
import { relativeInside } from "../../../shared/relative-inside.ts";
import type { SandboxProfile } from "../sandbox.ts";

/** A part of the machine that commands find inside as it is outside; all else is not there. */
export interface SystemEntry {
  readonly path: string;
  readonly kind: "folder" | "file" | "link";
  /** Where it is taken from, or where the link leads. */
  readonly source: string;
}

export type SystemEntries = Readonly<Record<SandboxProfile, readonly SystemEntry[]>>;

/** Looks at this machine once; a disk is arranged in many ways. */
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
  "/usr",
  "/bin",
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/libx32",
  "/nix/store",
  "/gnu/store",
];

// Every folder among these costs a mount, a fifth of a millisecond at each start; files are copied.
const baseSettings = [
  "/etc/alternatives",
  "/etc/group",
  "/etc/ld.so.cache",
  "/etc/localtime",
  "/etc/nsswitch.conf",
  "/etc/os-release",
  "/etc/passwd",
];

// Not /etc/ssl and /etc/pki as a whole: they hold private keys.
const writingSettings = [
  "/etc/crypto-policies",
  "/etc/gitconfig",
  "/etc/hosts",
  "/etc/npmrc",
  "/etc/pip.conf",
  "/etc/pki/ca-trust",
  "/etc/pki/tls/cert.pem",
  "/etc/pki/tls/certs",
  "/etc/ssl/cert.pem",
  "/etc/ssl/certs",
  "/etc/ssl/openssl.cnf",
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
    // A link out of what is visible, as /etc/resolv.conf often is one into /run, becomes what it leads to.
    const isFolder = (await stat(source)).isDirectory();
    return { path, kind: isFolder ? "folder" : "file", source };
  } catch {
    return undefined;
  }
}

function isVisible(path: string): boolean {
  return programFolders.some((folder) => relativeInside(folder, path) !== undefined);
}
