export interface IndexEntry {
  /** From the root of the repository. */
  readonly path: string;
  /** Another repository, of which only the commit is recorded. */
  readonly isLink: boolean;
}

/** The format is described in git's `gitformat-index`: versions 2 to 4. */
export function parseGitIndex(bytes: Buffer, hashBytes: number): readonly IndexEntry[] | undefined {
  if (bytes.length < headerBytes + hashBytes || bytes.toString("latin1", 0, 4) !== "DIRC") return undefined;
  const version = bytes.readUInt32BE(4);
  const count = bytes.readUInt32BE(8);
  if (version < 2 || version > 4) return undefined;
  const end = bytes.length - hashBytes;
  const entries: IndexEntry[] = [];
  let at = headerBytes;
  let name = Buffer.alloc(0);
  for (let index = 0; index < count; index += 1) {
    const flagsAt = at + statBytes + hashBytes;
    if (flagsAt + 4 > end) return undefined;
    const mode = bytes.readUInt32BE(at + modeOffset);
    const isExtended = (bytes.readUInt16BE(flagsAt) & extendedFlag) !== 0;
    let nameAt = flagsAt + (isExtended ? 4 : 2);
    let kept = 0;
    if (version === 4) {
      const stripped = readNumber(bytes, nameAt);
      if (stripped === undefined || stripped.value > name.length) return undefined;
      kept = name.length - stripped.value;
      nameAt = stripped.end;
    }
    const nameEnd = bytes.indexOf(0, nameAt);
    if (nameEnd === -1 || nameEnd >= end) return undefined;
    name = Buffer.concat([name.subarray(0, kept), bytes.subarray(nameAt, nameEnd)]);
    entries.push({ path: name.toString("utf8"), isLink: (mode & kindMask) === linkKind });
    // Older versions pad each entry with NULs to a multiple of eight bytes.
    at = version === 4 ? nameEnd + 1 : at + ((nameEnd - at + 8) & ~7);
  }
  return hasSharedPart(bytes, at, end) ? undefined : entries;
}

const headerBytes = 12;
const statBytes = 40;
const modeOffset = 24;
const extendedFlag = 0x4000;
const kindMask = 0o170000;
const linkKind = 0o160000;

/** A number in git's variable length encoding. */
function readNumber(
  bytes: Buffer,
  start: number,
): { readonly value: number; readonly end: number } | undefined {
  let at = start;
  let byte = bytes[at++];
  let value = (byte ?? 0) & 0x7f;
  while (byte !== undefined && byte & 0x80) {
    byte = bytes[at++];
    value = (value + 1) * 128 + ((byte ?? 0) & 0x7f);
    if (value > bytes.length) return undefined;
  }
  return byte === undefined ? undefined : { value, end: at };
}

/** Whether more entries are in another file, as git does if `core.splitIndex` is set. */
function hasSharedPart(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at + 8 <= end; ) {
    if (bytes.toString("latin1", at, at + 4) === "link") return true;
    at += 8 + bytes.readUInt32BE(at + 4);
  }
  return false;
}
