import type { PresentedTool, Runtime, Session } from "../../index.ts";
import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";
import type { FoundTool } from "../../tool/services/tool-catalogue.ts";
import type { SafetyLevel } from "../../tool/traits.ts";
import { flytoTool } from "./flyto-tools.ts";
import type { AnyFlytoTool, FlytoCapability, FlytoMetadata } from "./flyto-types.ts";

/** A tool as the registry shows it. */
export interface FlytoListedTool {
  Name(): string;
  Description(): string;
  InputSchema(): JsonSchema;
  Metadata(): Required<FlytoMetadata>;
  Capability(): Pick<FlytoCapability, "DryRun" | "Reversible">;
  /** 0: cannot be undone; 1: can be undone; 2: can be previewed and undone. */
  SafetyLevel(): SafetyLevel;
}

/** The tools of an engine, and which of them its model is offered. */
export class FlytoRegistry {
  readonly #runtime: Runtime;
  readonly #session: Session;

  constructor(runtime: Runtime, session: Session) {
    this.#runtime = runtime;
    this.#session = session;
  }

  /** Adds a tool. Throws if another one has its name. */
  Register(tool: AnyFlytoTool): void {
    this.#runtime.tools.register(flytoTool(tool));
  }

  /** All tools, also those that must be searched for. */
  List(): FlytoListedTool[] {
    return this.#session.tools().map(listed);
  }

  /** By its name or an alias. */
  Get(name: string): FlytoListedTool | undefined {
    const found = this.#session
      .tools()
      .find((tool) => tool.name === name || tool.metadata.aliases.includes(name));
    return found && listed(found);
  }

  /** The tools that the model is offered now. */
  ActiveTools(): FlytoListedTool[] {
    return this.#session.activeTools().map(listed);
  }

  /** Finds tools by name, description, hint or alias, best first; activates none of them. */
  SearchTools(query: string): Promise<readonly FoundTool[]> {
    return this.#session.searchTools(query);
  }

  /** Offers a tool from now on; false if there is none with that name. */
  ActivateTool(name: string): boolean {
    return this.#session.activateTool(name);
  }

  /** Whether the model has to search for the tool before it is offered. */
  IsDeferred(name: string): boolean {
    return this.#session.isDeferred(name);
  }

  ResetActivations(): void {
    this.#session.resetActivations();
  }
}

function listed({ name, description, inputSchema, metadata, annotations }: PresentedTool): FlytoListedTool {
  const { concurrencySafe, readOnly, destructive, aliases, searchHint = "", safety } = metadata;
  return {
    Name: () => name,
    Description: () => description,
    InputSchema: () => inputSchema,
    Metadata: () => ({
      ConcurrencySafe: concurrencySafe,
      ReadOnly: readOnly,
      Destructive: destructive,
      Aliases: aliases,
      SearchHint: searchHint,
    }),
    Capability: () => ({ DryRun: safety.includes("preview"), Reversible: safety.includes("undo") }),
    SafetyLevel: () => annotations.safetyLevel,
  };
}
