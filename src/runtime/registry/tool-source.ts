import type { AnyTool } from "../../tool/define-tool.ts";
import type { ToolError } from "../../tool/tool-error.ts";

/** Where tools may come from, lowest priority first: a later layer shadows an earlier one. */
export const layers = ["builtin", "folder", "plugin", "mcp", "made", "inline"] as const;

export type Layer = (typeof layers)[number];

export interface ProvidedTool {
  readonly tool: AnyTool;
  readonly group?: string;
  /** Says that taking another tool's name is meant. */
  readonly override?: boolean;
}

/** Something that could not be offered as it is, and why; the rest of the source goes on without it. */
export interface SourceProblem {
  readonly source: string;
  /** The file, tool or package it is about. */
  readonly subject: string;
  readonly message: string;
  /** The tool is offered all the same, but something should be put right. */
  readonly severity?: "warning";
}

/** A place tools come from. Built-in lists, folders, plugins and MCP servers are all one of these. */
export interface ToolSource {
  /** Unique, and readable in messages: `folder ./tools`, `plugin weather`. */
  readonly id: string;
  readonly layer: Layer;
  /** Its list is written in code, so a clash is a mistake to stop at rather than one to report and go on. */
  readonly strict?: boolean;
  tools(): readonly ProvidedTool[];
  problems?(): readonly SourceProblem[];
  /** Why a tool that would be its own is not there, as with a server that cannot be reached. */
  absenceOf?(name: string): ToolError | undefined;
  /** Finds its tools; afterwards calls `onChange` whenever they have changed. */
  start?(onChange: () => void): Promise<void>;
  stop?(): Promise<void>;
}
