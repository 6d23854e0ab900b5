import type { Runtime } from "./runtime.ts";

/** The result of one check of `toolwright doctor`, and what to do about it. */
export interface Finding {
  readonly check: string;
  readonly mark: "ok" | "warn" | "fail";
  readonly found: string;
  readonly advice?: string;
}

/** The checks of a capability that `toolwright doctor` makes. A failed check does not stop the others. */
export interface Doctor {
  /** Lock files in the folder in which processes write down their next changes. */
  locks?(intentFolder: string): Promise<readonly string[]>;
  /** Checks this machine. */
  onMachine?(): Promise<readonly Finding[]>;
  /** Checks a runtime whose MCP servers were given time to connect. */
  inRuntime?(runtime: Runtime): Promise<readonly Finding[]>;
}
