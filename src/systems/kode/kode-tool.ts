import { isPlainObject } from "../../shared/json.ts";
import type { MaybePromise } from "../../shared/maybe-promise.ts";
import { defined } from "../../shared/options/defined.ts";
import type { ParamDefinitions } from "../../tool/params.ts";
import { defineKodeTool } from "./kode-tools.ts";
import type {
  KodeAttributes,
  KodeHooks,
  KodeSimpleTool,
  KodeToolContext,
  KodeToolInstance,
  KodeUntyped,
} from "./kode-types.ts";

/** What `tool()` takes: a Zod schema, and a function. */
export interface KodeToolDefinition {
  readonly name: string;
  readonly description?: string;
  /** A Zod schema. Without one, any arguments are taken. */
  readonly parameters?: KodeUntyped;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly hooks?: KodeHooks;
  execute(args: KodeUntyped, context: KodeToolContext): MaybePromise<unknown>;
}

/** A decorator's settings for the method that it makes a tool of. */
export interface KodeMethodTool {
  readonly description?: string;
  readonly params?: ParamDefinitions;
  /** A Zod schema. */
  readonly parameters?: KodeUntyped;
  readonly input_schema?: KodeUntyped;
  readonly attributes?: KodeAttributes;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly prompt?: string;
  /** What compiled decorators of KODE's own keep. */
  readonly exec?: KodeMethod;
  readonly method?: KodeMethod;
}

export type KodeMethod = (args: KodeUntyped, context: KodeToolContext) => unknown;

/** A decorator of a method, as TypeScript compiles it with `experimentalDecorators` and without. */
export type KodeMethodDecorator = (
  target: KodeUntyped,
  context: KodeUntyped,
  descriptor?: KodeUntyped,
) => void;

/** KODE's `tool`: makes a tool of a function, or of a method that it decorates. */
export function kodeTool(name: string, execute: KodeToolDefinition["execute"]): KodeToolInstance;
export function kodeTool(definition: KodeToolDefinition): KodeToolInstance;
export function kodeTool(decoration: KodeMethodTool): KodeMethodDecorator;
export function kodeTool(
  given: string | KodeToolDefinition | KodeMethodTool,
  execute?: KodeToolDefinition["execute"],
): KodeToolInstance | KodeMethodDecorator {
  if (typeof given === "string") {
    if (typeof execute !== "function") throw new TypeError(`tool: ${given} needs a function`);
    return fromDefinition({ name: given, execute });
  }
  return "execute" in given ? fromDefinition(given) : toolMethod(given);
}

/** KODE's `tools`: several at once. */
export function kodeToolList(definitions: readonly KodeToolDefinition[]): KodeToolInstance[] {
  return definitions.map(fromDefinition);
}

const anything = { type: "object", properties: {}, additionalProperties: true };

function fromDefinition(definition: KodeToolDefinition): KodeToolInstance {
  const { name, description = `Execute ${name}`, parameters = anything, metadata, hooks } = definition;
  if (typeof definition.execute !== "function") throw new TypeError(`tool: ${name} needs a function execute`);
  return {
    name,
    description,
    input_schema: parameters,
    ...defined({ metadata, hooks }),
    exec: (args, context) => definition.execute(args, context),
    toDescriptor: () => ({ source: "registered", name, registryId: name }),
  };
}

/** The key under which a method keeps its decoration: both kinds of decorators find it there, and no other class has it. */
const decoration = Symbol("toolwright.kode.tool");

/** KODE's decorator for the methods of a `ToolKit`; `tool` is the same for those of any class. */
export function toolMethod(given: KodeMethodTool = {}): KodeMethodDecorator {
  return (target, context, descriptor) => {
    const isStandard = isPlainObject(context) && "kind" in context;
    const method = isStandard ? target : (descriptor?.value ?? target?.[context]);
    const name = String(isStandard ? context.name : context);
    const isOfInstances = isStandard
      ? context.static !== true && context.private !== true
      : typeof target === "object";
    if (typeof method !== "function" || !isOfInstances)
      throw new TypeError(`@tool is for public methods of instances; ${name} is not one`);
    Object.defineProperty(method, decoration, { value: given });
  };
}

/** The tools of an instance whose class has decorated methods, those of its parents included. */
export function extractTools(instance: object): KodeToolInstance[] {
  return toolsOf(instance, (name) => name);
}

/** A class whose decorated methods are tools, named `<namespace>__<method>`. */
export class ToolKit {
  readonly #namespace: string | undefined;

  constructor(namespace?: string) {
    this.#namespace = namespace;
  }

  getTools(): KodeToolInstance[] {
    const namespace = this.#namespace;
    return toolsOf(this, (name) => (namespace === undefined ? name : `${namespace}__${name}`));
  }

  getToolNames(): string[] {
    return this.getTools().map(({ name }) => name);
  }
}

function toolsOf(instance: object, nameOf: (method: string) => string): KodeToolInstance[] {
  const found = new Map<string, KodeMethodTool>();
  for (const prototype of chainOf(instance).reverse())
    for (const [name, given] of [...decoratedBy(prototype), ...compiledByKode(prototype)])
      found.set(name, given);
  return [...found].map(([method, given]) => methodTool(instance, { method, name: nameOf(method), given }));
}

function chainOf(instance: object): object[] {
  const chain: object[] = [];
  for (let each = Object.getPrototypeOf(instance); each !== null && each !== Object.prototype; ) {
    chain.push(each);
    each = Object.getPrototypeOf(each);
  }
  return chain;
}

function decoratedBy(prototype: object): [string, KodeMethodTool][] {
  return Object.entries(Object.getOwnPropertyDescriptors(prototype)).flatMap(([name, { value }]) => {
    const given =
      typeof value === "function" ? (value as { [decoration]?: KodeMethodTool })[decoration] : undefined;
    return given === undefined ? [] : [[name, given] as [string, KodeMethodTool]];
  });
}

/** Classes that were compiled with KODE's own decorators keep a list of their tools. */
function compiledByKode({ constructor: owner }: object): [string, KodeMethodTool][] {
  const lists = ["_toolConfigs", "_toolMethods"].map((name) =>
    Object.hasOwn(owner, name) ? Reflect.get(owner, name) : undefined,
  );
  return lists.flatMap((list) => (list instanceof Map ? [...list] : []));
}

function methodTool(
  instance: object,
  { method, name, given }: { method: string; name: string; given: KodeMethodTool },
): KodeToolInstance {
  const { params, parameters, input_schema, attributes, metadata, prompt } = given;
  const own: unknown = Reflect.get(instance, method);
  const run = typeof own === "function" ? (own as KodeMethod) : (given.exec ?? given.method);
  if (run === undefined) throw new TypeError(`${name}: the class has no method ${method}`);
  const schema = params === undefined ? { input_schema: input_schema ?? parameters ?? anything } : { params };
  return defineKodeTool({
    name,
    description: given.description ?? `Execute ${method}`,
    ...schema,
    ...defined({ attributes, metadata, prompt }),
    exec: (args: unknown, context: KodeToolContext) => run.call(instance, args, context),
  } as KodeSimpleTool);
}
