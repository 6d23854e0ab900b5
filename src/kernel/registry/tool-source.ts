import { foreign, knownKeys, value } from "../../shared/options/known-keys.ts";
import { refuseUnknownKeys } from "../../shared/options/refuse-unknown-keys.ts";
import type { AnyTool } from "../../tool/define-tool.ts";
import type { ToolError } from "../../tool/tool-error.ts";

/** Where tools may come from, lowest priority first: a later layer shadows an earlier one. */
export const layers = ["builtin", "folder", "plugin", "mcp", "made", "inline"] as const;

export type Layer = (typeof layers)[number];

export interface OverrideOptions {
  /** The tool takes another tool's name on purpose. */
  readonly override?: boolean;
}

export const overrideKeys = knownKeys<OverrideOptions>({ override: value });

export interface ProvidedTool extends OverrideOptions {
  readonly tool: AnyTool;
  readonly group?: string;
}

/** A tool of a source that knows exactly which version was approved. */
export interface VersionedTool extends ProvidedTool {
  /**
   * A hash of the version: of a made tool's code and all that goes with it, or of a definition that a server has given. For
   * a call that has run, of the version that ran.
   */
  versionOf?(callId?: string): string;
}

export const providedToolKeys = knownKeys<ProvidedTool>({ tool: foreign, group: value, override: value });

/** Something that could not be loaded, and why; the rest of the source works without it. */
export interface SourceProblem {
  readonly source: string;
  /** The file, tool, package or rule it is about. */
  readonly subject: string;
  readonly message: string;
  /** It works, but something should be fixed. */
  readonly severity?: "warning";
  /** It is about a permission rule, not about a tool. */
  readonly about?: "rule";
}

/** Where tools come from: the built-in list, a folder, a plugin, an MCP server or inline options. */
export interface ToolSource {
  /** Unique, and readable in messages: `folder ./tools`, `plugin weather`. */
  readonly id: string;
  readonly layer: Layer;
  /** Its list is written in code, so a name clash throws instead of being reported as a problem. */
  readonly strict?: boolean;
  tools(): readonly VersionedTool[];
  problems?(): readonly SourceProblem[];
  /** Why one of its tools is missing, such as a server that cannot be reached. */
  absenceOf?(name: string): ToolError | undefined;
  /** Finds its tools; afterwards calls `onChange` whenever they have changed. */
  start?(onChange: () => void): Promise<void>;
  stop?(): Promise<void>;
}

/** Tools listed in code: the built-in ones, or those given in the options. */
export function createStaticSource(
  id: string,
  layer: Layer,
  tools: readonly (AnyTool | ProvidedTool)[],
): ToolSource {
  const provided = tools.map((entry, index) => {
    if (!("tool" in entry)) return { tool: entry };
    refuseUnknownKeys(entry, providedToolKeys, `${id}[${index}]`);
    return entry;
  });
  return { id, layer, strict: true, tools: () => provided };
}
