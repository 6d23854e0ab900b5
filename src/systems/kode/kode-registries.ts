import type { McpLoader } from "../../capabilities/mcp-client/index.ts";
import { kode } from "../../kernel/dialects/index.ts";
import type {
  KodeAgentConfig,
  KodeBuiltin,
  KodePermission,
  KodeTemplate,
  KodeToolInstance,
} from "./kode-types.ts";

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

  /** Adds the tools of an MCP client that you have, named `mcp__<name>__<tool>`. */
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

/**
 * The tools of an agent: given as they are, by the names of registered or built-in ones, or all. `instances` are those that
 * are not built in, `names` the only ones that the agent may use; undefined for all.
 */
export function chooseKodeTools(
  given: "*" | NonNullable<KodeAgentConfig["tools"]>,
  toolRegistry: ToolRegistry,
  { allowTools }: KodePermission,
) {
  const instances = new Map<string, KodeToolInstance>();
  const names: string[] = [];
  for (const each of given === "*" ? toolRegistry.list() : given) {
    if (typeof each === "string" && toolRegistry.has(each)) {
      const instance = toolRegistry.create(each);
      instances.set(instance.name, instance);
      names.push(instance.name);
    } else if (typeof each === "string") names.push(each);
    else {
      if (!("isBuiltin" in each)) instances.set(each.name, each);
      names.push(each.name);
    }
  }
  const all = given === "*" ? [...names, ...builtinNames] : names;
  const allowed = allowTools === undefined ? names : all.filter((name) => allowTools.includes(name));
  const isLimited = given !== "*" || allowTools !== undefined;
  return { instances: [...instances.values()], names: isLimited ? allowed : undefined };
}

/** The built-in tools by the names of their classes: `new FsRead()` is `fs_read`. */
function builtinClass(name: string): new () => KodeBuiltin {
  return class implements KodeBuiltin {
    readonly name = name;
    readonly isBuiltin = true;
  };
}

export const FsRead = builtinClass("fs_read");
export const FsWrite = builtinClass("fs_write");
export const FsEdit = builtinClass("fs_edit");
export const FsGlob = builtinClass("fs_glob");
export const FsGrep = builtinClass("fs_grep");
export const FsMultiEdit = builtinClass("fs_multi_edit");
export const BashRun = builtinClass("bash_run");
export const BashLogs = builtinClass("bash_logs");
export const BashKill = builtinClass("bash_kill");
export const TodoRead = builtinClass("todo_read");
export const TodoWrite = builtinClass("todo_write");

const listed = (...names: string[]) => names.map((name): KodeBuiltin => ({ name, isBuiltin: true }));

/** Groups of built-in tools, to register or to list. */
export const builtin = {
  fs: () => listed("fs_read", "fs_write", "fs_edit", "fs_glob", "fs_grep", "fs_multi_edit"),
  bash: () => listed("bash_run", "bash_logs", "bash_kill"),
  todo: () => listed("todo_read", "todo_write"),
};

const builtinNames: ReadonlySet<string> = new Set(Object.values(kode.tools).map(({ name }) => name));
