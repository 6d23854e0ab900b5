import { realpath } from "node:fs/promises";
import { createBubblewrap } from "./bubblewrap/bubblewrap.ts";
import { probeBubblewrap } from "./bubblewrap/probe-bubblewrap.ts";
import { findStrayDescriptors } from "./bubblewrap/stray-descriptors.ts";
import { readSystemEntries } from "./bubblewrap/system-entries.ts";
import { createNoSandbox } from "./no-sandbox.ts";
import { sharedPlaceholders } from "./protected/placeholders.ts";
import { createNameScanner } from "./protected/scan-names.ts";
import type { Confining } from "./sandbox.ts";

/** A sandbox without a workspace: what runs in it sees the system's programs and these files, and writes nowhere. */
export async function openBareSandbox(readable: readonly string[]): Promise<Confining> {
  if (process.platform !== "linux") return createNoSandbox(`it is not available for ${process.platform} yet`);
  const [probe, system, strays, shown] = await Promise.all([
    probeBubblewrap(),
    readSystemEntries(),
    findStrayDescriptors(),
    Promise.all(readable.map((path) => realpath(path))),
  ]);
  if (probe.reason !== undefined) return createNoSandbox(probe.reason);
  const { kind, wrap } = createBubblewrap({
    file: probe.file,
    strays,
    system,
    programs: { shown: [], masked: [] },
    home: "/",
    roots: [],
    readable: shown,
    hidden: [],
    protectedNames: [],
    homeNames: [],
    codePaths: [],
    placeholders: sharedPlaceholders(),
    findNames: createNameScanner({ protectedNames: [], sensitiveNames: [] }),
    findPublic: async () => new Set(),
  });
  return { kind, wrap: (program, box) => wrap(program, { ...box, isBare: true }) };
}
