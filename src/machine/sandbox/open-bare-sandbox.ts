import { realpath } from "node:fs/promises";
import { createBareBubblewrap } from "./bubblewrap/bare-bubblewrap.ts";
import { probeBubblewrap } from "./bubblewrap/probe-bubblewrap.ts";
import { findStrayDescriptors } from "./bubblewrap/stray-descriptors.ts";
import { createNoSandbox } from "./no-sandbox.ts";
import type { Confining } from "./sandbox.ts";

/** A sandbox without a workspace: what runs in it sees the system's programs and these files, and writes nowhere. */
export async function openBareSandbox(readable: readonly string[]): Promise<Confining> {
  if (process.platform !== "linux") return createNoSandbox(`it is not available for ${process.platform} yet`);
  const [probe, strays, shown] = await Promise.all([
    probeBubblewrap(),
    findStrayDescriptors(),
    Promise.all(readable.map((path) => realpath(path))),
  ]);
  if (probe.reason !== undefined) return createNoSandbox(probe.reason);
  const { kind, wrap } = await createBareBubblewrap(probe, { strays, readable: shown });
  return { kind, wrap: (program, box) => wrap(program, { ...box, isBare: true }) };
}
