import { knownKeys, value } from "../../shared/options/known-keys.ts";
import type { AnyTool } from "../../tool/define-tool.ts";
import type { ToolError } from "../../tool/tool-error.ts";
import type { Layer, OverrideOptions, SourceProblem, ToolSource } from "./tool-source.ts";

/** A tool and the source that provides it. */
export interface RegisteredTool {
  readonly name: string;
  readonly tool: AnyTool;
  readonly layer: Layer;
  readonly source: string;
  readonly group?: string;
  /** A hash of the approved version, where that is known; for a call that has run, of the version that ran. */
  versionOf?(callId?: string): string;
  /** It took another tool's name on purpose. */
  readonly override?: true;
}

/** The built-in tool that a name belongs to, and the name as the dialect has it. */
export interface TakenName {
  readonly tool: string;
  readonly as: string;
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
  /** The tools that would have the name otherwise, next in line first. Rules on the name bind them too. */
  readonly shadowed: readonly { readonly tool: string; readonly source: string; readonly layer: Layer }[];
  readonly nearest: readonly string[];
}

export interface RegisterOptions extends OverrideOptions {
  readonly layer?: Layer;
}

export const registerKeys = knownKeys<RegisterOptions>({ override: value, layer: value });

/** The tools of a runtime, for the code that embeds it. */
export interface ToolList {
  list(): readonly RegisteredTool[];
  explain(name: string): NameExplanation;
  /** Adds a tool at run time. */
  register(tool: AnyTool, options?: RegisterOptions): void;
  /** Calls back after every change. Returns a function that stops it. */
  onChange(listener: () => void): () => void;
}

export interface Registry extends ToolList {
  /** By exact name, then by alias. */
  find(name: string): RegisteredTool | undefined;
  findExact(name: string): RegisteredTool | undefined;
  problems(): readonly SourceProblem[];
  /** Why a name is missing, if a source knows that. */
  absenceOf(name: string): ToolError | undefined;
  addSource(source: ToolSource): Promise<void>;
  /** Grows with every change; anything derived from the list can be cached until then. */
  readonly revision: number;
  close(): Promise<void>;
}
