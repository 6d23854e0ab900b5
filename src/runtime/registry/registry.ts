import type { AnyTool } from "../../tool/define-tool.ts";
import type { ToolError } from "../../tool/tool-error.ts";
import type { Layer, SourceProblem, ToolSource } from "./tool-source.ts";

/** A tool that a name leads to, and who provides it. */
export interface RegisteredTool {
  readonly name: string;
  readonly tool: AnyTool;
  readonly layer: Layer;
  readonly source: string;
  readonly group?: string;
}

export interface NameExplanation {
  readonly name: string;
  /** Who answers to the name, if anybody does. */
  readonly providedBy?: {
    readonly tool: string;
    readonly source: string;
    readonly layer: Layer;
    readonly asAlias: boolean;
  };
  readonly shadowed: readonly { readonly source: string; readonly layer: Layer }[];
  readonly nearest: readonly string[];
}

/** The tools there are, for whoever embeds the runtime. */
export interface ToolList {
  list(): readonly RegisteredTool[];
  groups(): Record<string, string[]>;
  explain(name: string): NameExplanation;
  /** Adds a tool at run time. */
  register(tool: AnyTool, options?: { override?: boolean; layer?: Layer }): void;
  /** Calls back after every change; what is returned stops that. */
  onChange(listener: () => void): () => void;
}

export interface Registry extends ToolList {
  /** By exact name, then by alias. */
  find(name: string): RegisteredTool | undefined;
  findExact(name: string): RegisteredTool | undefined;
  problems(): readonly SourceProblem[];
  /** Why nobody answers to a name, where a source knows. */
  absenceOf(name: string): ToolError | undefined;
  addSource(source: ToolSource): Promise<void>;
  /** Grows with every change, so that what was rendered from the list can be kept until then. */
  readonly revision: number;
  close(): Promise<void>;
}
