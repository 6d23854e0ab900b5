import type { ConfinedLimits } from "../../machine/child/start-confined.ts";

/** What one made tool may use at a time. */
export interface MadeLimits extends ConfinedLimits {
  /** How often one call may use its context. */
  readonly maxUses: number;
}

export const usualLimits: MadeLimits = {
  maxMemoryBytes: 256 * 2 ** 20,
  maxProcesses: 24,
  maxOutputBytes: 2 ** 20,
  maxCpuSeconds: 600,
  maxUses: 1000,
};
