import { isPlainObject } from "../../shared/json.ts";
import { cloneJson } from "../../shared/json-schema/clone-json.ts";
import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";
import { defined } from "../../shared/options/defined.ts";
import { describeThrown } from "../../shared/text/describe-thrown.ts";
import { type AnyTool, defineTool, type UndoCall } from "../../tool/define-tool.ts";
import type { SessionView, ToolContext } from "../../tool/tool-context.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { AnyFlytoTool, FlytoContext, FlytoInput, FlytoTool, FlytoUndoInfo } from "./flyto-types.ts";

/** Tools written for Flyto's engine, as tools of this runtime. */
export function flytoTools(tools: readonly AnyFlytoTool[]): AnyTool[] {
  return tools.map(flytoTool);
}

export function flytoTool(tool: AnyFlytoTool): AnyTool {
  const name = flytoSaying(tool, "Name") as string;
  const execute = flytoMethod<FlytoTool["Execute"]>(tool, "Execute");
  if (execute === undefined) throw new TypeError(`${name}: Execute must be a function`);
  const dryRun = flytoMethod<NonNullable<FlytoTool["DryRun"]>>(tool, "DryRun");
  const generateUndo = flytoMethod<NonNullable<FlytoTool["GenerateUndo"]>>(tool, "GenerateUndo");
  const isReversible =
    generateUndo !== undefined || flytoField(flytoSaying(tool, "Capability"), "Reversible") === true;
  const metadata = flytoSaying(tool, "Metadata");
  const said = (field: string) => flytoField(metadata, field);
  const [aliases, searchHint] = [said("Aliases"), said("SearchHint")];
  return defineTool({
    name,
    description: describe(tool, name),
    input: readSchema(name, flytoSaying(tool, "InputSchema")),
    traits: {
      concurrencySafe: said("ConcurrencySafe") === true,
      readOnly: said("ReadOnly") === true,
      destructive: said("Destructive") === true,
    },
    ...defined({
      aliases: Array.isArray(aliases) ? aliases : undefined,
      searchHint: typeof searchHint === "string" ? searchHint : undefined,
      dryRun:
        dryRun &&
        (async (given: unknown, context: ToolContext) =>
          toPreview(await dryRun(new FlytoCallContext(context), withItsText(given)))),
      undo: isReversible ? ({ output }: { output: unknown }) => toUndoCall(name, output) : undefined,
    }),
    run: async (given: unknown, context: ToolContext) => {
      const [ctx, input] = [new FlytoCallContext(context), withItsText(given)];
      const result: unknown = await execute(ctx, input, (update) => context.progress(update));
      const { output, data } = readResult(result);
      const generate = () => flytoField(result, "UndoInfo") ?? generateUndo?.(ctx, input, result as never);
      const undoInfo = isReversible ? await captureUndo(name, generate, context) : undefined;
      return toReturn(output, { data, undoInfo });
    },
  });
}

function describe(tool: AnyFlytoTool, name: string): (session: SessionView) => string {
  return (session) => {
    const text = flytoSaying(tool, "Description", { workdir: session.workspace, session });
    return typeof text === "string" && text.trim() !== "" ? text : name;
  };
}

function readSchema(name: string, given: unknown): JsonSchema {
  const schema: unknown = typeof given === "string" ? parseSchema(name, given) : given;
  if (!isPlainObject(schema)) throw new TypeError(`${name}: InputSchema must return a JSON Schema`);
  return schema;
}

function parseSchema(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new TypeError(`${name}: InputSchema returns a text that is not JSON`, { cause });
  }
}

/** Flyto's tools get their input as text and parse it themselves; as an object that is its own text, both ways work. */
function withItsText(given: unknown): FlytoInput {
  const input = given as Record<string, unknown>;
  if (Object.hasOwn(input, "toString")) return input;
  return Object.defineProperty(input, "toString", { value: writeItself, configurable: true, writable: true });
}

function writeItself(this: unknown): string {
  return JSON.stringify(this);
}

function readResult(result: unknown): { readonly output: string; readonly data: unknown } {
  if (typeof result === "string") return { output: result, data: undefined };
  const [output, data] = [flytoField(result, "Output"), flytoField(result, "Data")];
  if (typeof output !== "string") {
    throw new ToolError("invalid-output", "the tool did not return a result with an Output", {
      hint: 'Return { Output: "…" }.',
    });
  }
  if (flytoField(result, "IsError") === true) {
    const message = output || "the tool reported an error without a message";
    throw new ToolError("tool-failed", message, { partial: data ?? undefined });
  }
  return { output, data: data ?? undefined };
}

/** Adds to the text and the data the facts that undo needs; the caller does not see these. */
function toReturn(
  output: string,
  { data, undoInfo }: { readonly data: unknown; readonly undoInfo: FlytoUndoInfo | undefined },
): unknown {
  if (data === undefined && undoInfo === undefined) return output;
  return { content: [{ type: "text", text: output }], ...defined({ data, undoInfo }) };
}

function toPreview(planned: unknown): unknown {
  const text = flytoField(planned, "Output");
  return typeof text === "string" ? { content: [{ type: "text", text }], data: planned } : planned;
}

/**
 * Asks a tool right after it ran how its call can be reverted, because later it could no longer tell. A tool that fails to
 * answer has still done its work, so the call is done and a warning is logged.
 */
async function captureUndo(
  name: string,
  generate: () => unknown,
  { logger }: Pick<ToolContext, "logger">,
): Promise<FlytoUndoInfo | undefined> {
  try {
    const given = await generate();
    return given === undefined || given === null ? undefined : readUndoInfo(given);
  } catch (error) {
    logger.warn(`this call of ${name} cannot be undone: ${describeThrown(error)}`);
    return undefined;
  }
}

function readUndoInfo(given: unknown): FlytoUndoInfo {
  if (typeof given !== "object" || given === null) throw new TypeError("UndoInfo must be an object");
  const [toolName, description] = [flytoField(given, "ToolName"), flytoField(given, "Description")];
  const input = flytoField(given, "Input") ?? {};
  return {
    // As text, where it was written for Flyto's engine.
    Input: cloneJson(typeof input === "string" ? JSON.parse(input) : input),
    ...defined({
      ToolName: typeof toolName === "string" ? toolName || undefined : undefined,
      Description: typeof description === "string" ? description : undefined,
    }),
  };
}

/** The call that reverts another one, of which this is the output. */
function toUndoCall(name: string, output: unknown): UndoCall {
  const { ToolName, Input, Description }: FlytoUndoInfo =
    isPlainObject(output) && isPlainObject(output.undoInfo) ? output.undoInfo : {};
  if (ToolName !== undefined) return { call: { name: ToolName, input: Input } };
  if (Description !== undefined)
    throw new ToolError("unavailable", `${name} can be undone only by hand: ${Description}`);
  throw new ToolError("unavailable", `${name} did not say how to undo this call`);
}

/** Reads a field of a value that Flyto's users wrote, in the document's casing (`Output`) or in TypeScript's (`output`). */
function flytoField(value: unknown, name: string): unknown {
  const fields: Readonly<Record<string, unknown>> = Object(value);
  return fields[name] ?? fields[plainNames[name] ?? name.charAt(0).toLowerCase() + name.slice(1)];
}

/** The plain names of the fields that are read from every result, so that they need not be made each time. */
const plainNames: Readonly<Record<string, string>> = {
  Output: "output",
  Data: "data",
  IsError: "isError",
  UndoInfo: "undoInfo",
};

/** A tool's statement about itself: the result of a method, or a value. */
function flytoSaying(tool: object, name: string, ...given: readonly unknown[]): unknown {
  const said = flytoField(tool, name);
  return typeof said === "function" ? said.apply(tool, given) : said;
}

/** A method with its tool, which may be an instance of a class; undefined if the tool has none. */
function flytoMethod<Method extends (...given: never[]) => unknown>(
  tool: object,
  name: string,
): Method | undefined {
  const method = flytoField(tool, name);
  return typeof method === "function" ? (method.bind(tool) as Method) : undefined;
}

/** The context that Flyto's tools expect, made of ours. A class, because one is made for every call. */
class FlytoCallContext implements FlytoContext {
  readonly #context: ToolContext;

  constructor(context: ToolContext) {
    this.#context = context;
  }

  get toolwright(): ToolContext {
    return this.#context;
  }

  get workdir(): string {
    return this.#context.workspace;
  }

  get signal(): AbortSignal {
    return this.#context.signal;
  }

  Done(): Promise<void> {
    const { signal } = this.#context;
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }

  Err(): Error | undefined {
    const { signal } = this.#context;
    return signal.aborted ? (signal.reason as Error) : undefined;
  }

  Deadline(): Date {
    return new Date(this.#context.deadline);
  }
}

/** The folder that a call works in. */
export function WorkdirFromContext(ctx: { readonly workdir: string }): string {
  return ctx.workdir;
}
