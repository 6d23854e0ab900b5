import type { McpLoader } from "../../capabilities/mcp-client/loader-source.ts";
import type { KodeTemplate, KodeToolInstance } from "./kode-types.ts";

/** Makes a tool for an agent, with the settings that a template has for it. */
export type KodeToolFactory = (config?: Record<string, unknown>) => KodeToolInstance;

/** The tools that agents can be given by name. */
export class ToolRegistry {
  readonly #factories = new Map<string, KodeToolFactory>();
  readonly #loaders = new Map<string, McpLoader>();

  register(id: string, factory: KodeToolFactory): void {
    if (typeof factory !== "function") throw new TypeError(`${id}: a function that makes the tool is needed`);
    this.#factories.set(id, factory);
  }

  /** Tools of an MCP client of your own, named `mcp__<name>__<tool>`. */
  registerMCPLoader(name: string, loader: McpLoader): void {
    this.#loaders.set(name, loader);
  }

  has(id: string): boolean {
    return this.#factories.has(id);
  }

  create(id: string, config?: Record<string, unknown>): KodeToolInstance {
    const factory = this.#factories.get(id);
    if (factory === undefined) throw new Error(`no tool is registered as ${id}`);
    return factory(config);
  }

  list(): string[] {
    return [...this.#factories.keys()];
  }

  loaders(): readonly (readonly [string, McpLoader])[] {
    return [...this.#loaders];
  }
}

/** The templates that agents are made from. */
export class AgentTemplateRegistry {
  readonly #templates = new Map<string, KodeTemplate>();

  register(template: KodeTemplate): void {
    if (typeof template?.id !== "string" || template.id === "") throw new TypeError("a template needs an id");
    this.#templates.set(template.id, template);
  }

  has(id: string): boolean {
    return this.#templates.has(id);
  }

  get(id: string): KodeTemplate {
    const template = this.#templates.get(id);
    if (template === undefined) throw new Error(`no template is registered as ${id}`);
    return template;
  }

  list(): KodeTemplate[] {
    return [...this.#templates.values()];
  }
}
