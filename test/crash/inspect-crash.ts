import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Runtime } from "../../src/index.ts";

/** Everything in a folder, by path: kind, mode and content. Folders that are only there for others count too. */
export async function describeTree(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const visit = async (path: string): Promise<void> => {
    for (const name of (await readdir(path)).sort()) {
      const place = join(path, name);
      const stats = await lstat(place);
      const content = stats.isFile()
        ? createHash("sha256")
            .update(await readFile(place))
            .digest("hex")
            .slice(0, 12)
        : stats.isSymbolicLink()
          ? await readlink(place)
          : "folder";
      found[relative(folder, place)] = `${(stats.mode & 0o7777).toString(8)} ${content}`;
      if (stats.isDirectory()) await visit(place);
    }
  };
  await visit(folder);
  return found;
}

/** What is wrong with a session's log: calls with no end or several, a chain that does not verify. */
export async function findFaults(runtime: Runtime, sessionId: string): Promise<string[]> {
  const faults: string[] = [];
  const started = new Map<string, number>();
  const session = await runtime.openSession({ id: sessionId });
  const end = await session.bookmark();
  for await (const event of session.events()) {
    if (event.type === "call-start") started.set(event.callId, started.get(event.callId) ?? 0);
    if (event.type === "call-end") started.set(event.callId, (started.get(event.callId) ?? 0) + 1);
    if (event.sequence >= end) break;
  }
  for (const [callId, ends] of started) if (ends !== 1) faults.push(`${callId} has ${ends} ends`);
  for (const { broken } of await runtime.verify(sessionId)) if (broken) faults.push(broken.reason);
  return faults;
}

/** What a crash has left lying about beside a store: intents that nobody needs any more. */
export async function findLeftIntents(storeFile: string): Promise<string[]> {
  const folder = `${storeFile}-intents`;
  if (!existsSync(folder)) return [];
  return (await readdir(folder)).filter((name) => !/^(?:recovery|steps)\.lock/.test(name));
}
