import type { PermissionClass } from "../../tool/permission-request.ts";

/** What a call would touch, as far as it can be told before it runs. */
export interface Effects {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly runs: readonly string[];
  readonly hosts: readonly string[];
  /** It may do more than the lists say. */
  readonly opaque: boolean;
}

export interface Verdict {
  readonly decision: "allow" | "ask" | "deny";
  readonly reason: string;
  /** The floor, rule, hook, mode or person that decided. */
  readonly decidedBy: string;
  readonly permissionClass: PermissionClass;
  readonly category?: string;
  readonly effects: Effects;
}

export const noEffects: Effects = { reads: [], writes: [], runs: [], hosts: [], opaque: false };
