import { constants, open } from "node:fs/promises";

/** The text of a small file; empty if there is none. Reads regular files only, because a pipe would block. */
export async function readSmallFile(
  path: string,
  { maxBytes = usualBytes, followsLink = false } = {},
): Promise<string> {
  // The open file is looked at, because its name may lead elsewhere at any moment.
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | (followsLink ? 0 : constants.O_NOFOLLOW);
  const handle = await open(path, flags).catch(() => undefined);
  if (handle === undefined) return "";
  try {
    const stats = await handle.stat();
    return stats.isFile() && stats.size <= maxBytes ? await handle.readFile("utf8") : "";
  } catch {
    return "";
  } finally {
    await handle.close();
  }
}

const usualBytes = 16 * 1024;
