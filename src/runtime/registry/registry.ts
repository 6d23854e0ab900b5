import type { AnyTool } from "../../tool/define-tool.ts";
import type { ToolError } from "../../tool/tool-error.ts";
import type { Layer, SourceProblem, ToolSource } from "./tool-source.ts";

/** A tool and the source that provides it. */
export interface RegisteredTool {
  readonly name: string;
  readonly tool: AnyTool;
  readonly layer: Layer;
  readonly source: string;
  readonly group?: string;
}

export interface NameExplanation {
  readonly name: string;
  /** The source of the tool that has the name, if there is one. */
  readonly providedBy?: {
    readonly tool: string;
    readonly source: string;
    readonly layer: Layer;
    readonly asAlias: boolean;
  };
  readonly shadowed: readonly { readonly source: string; readonly layer: Layer }[];
  readonly nearest: readonly string[];
}

/** The tools of a runtime, for the code that embeds it. */
export interface ToolList {
  list(): readonly RegisteredTool[];
  groups(): Record<string, string[]>;
  explain(name: string): NameExplanation;
  /** Adds a tool at run time. */
  register(tool: AnyTool, options?: { override?: boolean; layer?: Layer }): void;
  /** Calls back after every change. Returns a function that stops it. */
  onChange(listener: () => void): () => void;
}

export interface Registry extends ToolList {
  /** By exact name, then by alias. */
  find(name: string): RegisteredTool | undefined;
  findExact(name: string): RegisteredTool | undefined;
  problems(): readonly SourceProblem[];
  /** Why a name is missing, if a source knows. */
  absenceOf(name: string): ToolError | undefined;
  addSource(source: ToolSource): Promise<void>;
  /** Grows with every change; anything derived from the list can be cached until then. */
  readonly revision: number;
  close(): Promise<void>;
}
