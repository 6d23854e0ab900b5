import { foreign, knownKeys, value } from "../shared/options/known-keys.ts";
import type { PermissionClass } from "./permission-request.ts";
import type { ToolServices } from "./tool-context.ts";

/** A tool's properties, declared once and used by every stage, so that shared code never names a tool. */
export interface Traits<Input = never> {
  /** Changes nothing: runs without approval even in mode `readonly`. */
  readonly readOnly: boolean;
  /** May destroy something that cannot be restored. */
  readonly destructive: boolean;
  /** Safe to run again: a call that a crash cut off is made once more when its agent's run is resumed. */
  readonly idempotent: boolean;
  /** Talks to the network. */
  readonly openWorld: boolean;
  /** May run beside other calls of the same batch. */
  readonly concurrencySafe: boolean;
  /**
   * Changes nothing but files, and those only through the context, so that the runtime itself can preview and undo it.
   */
  readonly changesFilesOnly: boolean;
  /** Runs commands: the text in parentheses of a permission rule is a command, not a path. */
  readonly runsCommands: boolean;
  /** Called again and again to wait for something, so the same result several times is not a loop. */
  readonly polls?: boolean;
  /**
   * Whether the tool is deferred, that is, not offered to the model until it is searched for: true, always; false, never.
   * Default: when there are many tools.
   */
  readonly deferrable?: boolean;
  /**
   * The classes that every call needs, whatever its input, such as `["write"]`. Where rules or the mode deny one of them,
   * the tool is not offered. For a tool with `permission`, which decides for each call; without it, the class is known.
   */
  readonly needs?: readonly PermissionClass[];
  /** Services of the context without which no call can succeed. Where the runtime has none, the tool is not offered. */
  readonly requires?: readonly (keyof ToolServices)[];
  /** The tool's own timeout. Default: the runtime's. */
  readonly timeoutMs?: number | ((input: Input) => number | undefined);
  /**
   * Once the call has timed out or was cancelled: how long the tool may take to stop its work and return its output so far.
   * Default: the call ends immediately, without the tool's output.
   */
  readonly windUpMs?: number;
  /**
   * Runs `run`, `dryRun` and `undo` in a separate process, where blocking, crashing and leaking do no harm: the module
   * that exports the tool, as `import.meta.url`. The process loads that module, and ends for good when the call times
   * out or is cancelled. Default: they run in the runtime's process.
   */
  readonly isolated?: string | URL | IsolatedModule;
}

/** Where the process of an isolated tool finds it. */
export interface IsolatedModule {
  /** The module that exports the tool: `import.meta.url`, or an absolute path. */
  readonly module: string | URL;
  /** The name of the tool that the module exports. Default: the tool's own. */
  readonly tool?: string;
  /** The process is ended if it uses more. Default: 512. */
  readonly maxMemoryMb?: number;
}

export const defaultMaxMemoryMb = 512;

export const traitKeys = knownKeys<Traits>({
  readOnly: value,
  destructive: value,
  idempotent: value,
  openWorld: value,
  concurrencySafe: value,
  changesFilesOnly: value,
  runsCommands: value,
  polls: value,
  deferrable: value,
  needs: value,
  requires: value,
  timeoutMs: value,
  windUpMs: value,
  isolated: foreign,
});

export const defaultTraits = {
  readOnly: false,
  destructive: false,
  idempotent: false,
  openWorld: false,
  concurrencySafe: false,
  changesFilesOnly: false,
  runsCommands: false,
} satisfies Partial<Traits>;

/**
 * What a tool offers against a call that was wrong: a preview beforehand, an undo afterwards, both or none. A tool that
 * changes nothing needs neither.
 */
export type Safety = "changes-nothing" | "none" | "preview" | "undo" | "preview-and-undo";

/** 0: no undo; 1: can be undone; 2: can be previewed and undone. Why a tool has no undo is in its `Safety`. */
export type SafetyLevel = 0 | 1 | 2;

export function safetyOf({ dryRun, undo, traits = {} }: SafetyNets): Safety {
  if (traits.readOnly) return "changes-nothing";
  const canPreview = traits.changesFilesOnly || dryRun !== undefined;
  const canUndo = traits.changesFilesOnly || undo !== undefined;
  if (canUndo) return canPreview ? "preview-and-undo" : "undo";
  return canPreview ? "preview" : "none";
}

export const safetyLevels: Readonly<Record<Safety, SafetyLevel>> = {
  "changes-nothing": 0,
  none: 0,
  preview: 0,
  undo: 1,
  "preview-and-undo": 2,
};

interface SafetyNets {
  readonly dryRun?: unknown;
  readonly undo?: unknown;
  readonly traits?: { readonly readOnly?: boolean; readonly changesFilesOnly?: boolean };
}
