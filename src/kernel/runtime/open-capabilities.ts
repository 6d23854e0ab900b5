import { removeLeftOfSandboxes } from "../../machine/sandbox/index.ts";
import { isFulfilled } from "../../shared/maybe-promise.ts";
import { onceResolved } from "../../shared/once.ts";
import type { ReceiptFields } from "../events/index.ts";
import type { ServiceName, ServiceTable } from "../services/index.ts";
import { findOpenLives, findOpenRuns, sealLostRuns, sessionKept } from "../session/index.ts";
import type { KeptKind, Store } from "../store/index.ts";
import { activeTools } from "../tool-search/index.ts";
import { broughtBy, type Capability, type LostWork, type RuntimePart } from "./capability.ts";
import type { OpeningRuntime, RuntimeOffers } from "./opening.ts";

/**
 * Opens capabilities in the order of their list. Each can use the offers of those before it. `lacking` are the services of
 * capabilities that the options do not ask for.
 */
export async function openCapabilities(
  capabilities: readonly Capability[],
  runtime: Omit<OpeningRuntime, "offers">,
  closers: (() => Promise<void>)[],
) {
  const parts: RuntimePart[] = [];
  const lacking: ServiceName[] = [];
  let offers: RuntimeOffers = {};
  for (const { open, services = {} } of capabilities) {
    const part = await open?.({ ...runtime, offers });
    if (part === undefined) {
      if (open !== undefined) lacking.push(...(Object.keys(services) as ServiceName[]));
      continue;
    }
    if (part.close !== undefined) closers.push(part.close);
    offers = { ...offers, ...part.offers };
    parts.push(part);
  }
  return { parts, lacking };
}

export function declaredServices(capabilities: readonly Capability[]): ServiceTable {
  return Object.assign({}, ...capabilities.map(({ services }) => services));
}

/** The fields that capabilities may note in receipts, in the order of their list. */
export function declaredReceipt(capabilities: readonly Capability[]): ReceiptFields {
  return new Map(capabilities.flatMap(({ receipt = {} }) => Object.entries(receipt)));
}

/** All kinds of values that are kept for sessions beside their logs. */
export function declaredKept(capabilities: readonly Capability[]): readonly KeptKind[] {
  return [...sessionKept, activeTools, ...capabilities.flatMap(({ kept = [] }) => kept)];
}

/** Sweeps once, before the first session. If it fails, sessions can be opened all the same. */
export function createSweep({ store, parts }: { store: Store; parts: readonly RuntimePart[] }) {
  const lost = broughtBy(parts, "lost");
  const sweepOnce = onceResolved(async () => {
    await sweepLost(store, lost);
    await removeLeftOfSandboxes();
  });
  return async () => {
    // A process may have died since. After a sweep that failed, such as for a suspended process, this does not wait again.
    if (await isFulfilled(sweepOnce()))
      await Promise.all(lost.map((work) => work.recover?.())).catch(() => {});
  };
}

/** Takes back, ends or completes what dead processes have left in any session of the store. */
async function sweepLost(store: Store, lost: readonly LostWork[]): Promise<void> {
  const [evidence] = broughtBy(lost, "evidence");
  for (const work of lost) await work.recover?.();
  for (const sessionId of await findOpenRuns(store)) {
    const runs = await sealLostRuns(store, sessionId, evidence);
    if (runs.length === 0) continue;
    for (const work of lost) await work.end?.(sessionId, runs);
  }
  const needed = await findOpenLives(store);
  for (const work of lost) await work.forget?.((life) => needed.has(life));
  for (const work of lost) await work.recoverLeft?.();
}
