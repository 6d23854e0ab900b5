/** What a tool is like, declared once and read by every stage; shared code never asks for a tool by name. */
export interface Traits<Input = never> {
  /** Changes nothing: runs in mode `readonly` without asking. */
  readonly readOnly: boolean;
  /** May destroy what cannot be brought back. */
  readonly destructive: boolean;
  /** Safe to run again after a crash. */
  readonly idempotent: boolean;
  /** Talks to the network. */
  readonly openWorld: boolean;
  /** May run beside other calls of the same batch. */
  readonly concurrencySafe: boolean;
  /**
   * Touches nothing but files, and those only through the context, so that the runtime itself can preview and undo it.
   */
  readonly changesFilesOnly: boolean;
  /** Runs commands: what a permission rule names in parentheses is a command and not a path. */
  readonly runsCommands: boolean;
  /**
   * Whether it is left out of the model's list until it is searched for: true, always; false, never; where nothing is
   * said, when there are many tools.
   */
  readonly deferrable?: boolean;
  /** The tool's own deadline; the runtime's default applies when it is absent. */
  readonly timeoutMs?: number | ((input: Input) => number | undefined);
  /**
   * How long the tool may take, once its time is up or its caller gave up, to end what it began and tell what there was.
   * Without it the call is answered at once and without the tool's word.
   */
  readonly windUpMs?: number;
}

export const defaultTraits: Omit<Traits, "deferrable" | "timeoutMs" | "windUpMs"> = {
  readOnly: false,
  destructive: false,
  idempotent: false,
  openWorld: false,
  concurrencySafe: false,
  changesFilesOnly: false,
  runsCommands: false,
};

/** 0: nothing to fall back on; 1: can be undone; 2: can be previewed and undone. */
export type SafetyLevel = 0 | 1 | 2;

export function safetyLevelOf({ dryRun, undo, traits }: SafetyNets): SafetyLevel {
  if (traits?.changesFilesOnly) return 2;
  if (undo === undefined) return 0;
  return dryRun === undefined ? 1 : 2;
}

interface SafetyNets {
  readonly dryRun?: unknown;
  readonly undo?: unknown;
  readonly traits?: { readonly changesFilesOnly?: boolean };
}
