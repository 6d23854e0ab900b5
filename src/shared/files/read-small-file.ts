import { constants, open } from "node:fs/promises";

/** The text of a small file; empty if there is none. */
export async function readSmallFile(
  path: string,
  options?: Parameters<typeof readIfSmall>[1],
): Promise<string> {
  return (await readIfSmall(path, options)) ?? "";
}

/** The text of a small file; undefined if there is none. Reads regular files only, because a pipe would block. */
export async function readIfSmall(
  path: string,
  { maxBytes = usualBytes, followsLink = false } = {},
): Promise<string | undefined> {
  // The open file is looked at, because its name may lead elsewhere at any moment.
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | (followsLink ? 0 : constants.O_NOFOLLOW);
  const handle = await open(path, flags).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const stats = await handle.stat();
    return stats.isFile() && stats.size <= maxBytes ? await handle.readFile("utf8") : undefined;
  } catch {
    return undefined;
  } finally {
    await handle.close();
  }
}

const usualBytes = 16 * 1024;
