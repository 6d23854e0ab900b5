import { cacheUntilChange } from "../../shared/cache-until-change.ts";
import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";
import { defined } from "../../shared/options/defined.ts";
import { orMeant } from "../../shared/text/did-you-mean.ts";
import { nearestNames } from "../../shared/text/nearest-names.ts";
import type { AnyTool } from "../../tool/define-tool.ts";
import { descriptionOf } from "../../tool/description-of.ts";
import type { SessionView } from "../../tool/tool-context.ts";
import type { ErrorCode } from "../../tool/tool-error.ts";
import type { Wording } from "../../tool/wording.ts";
import type { RegisteredTool, Registry } from "../registry/index.ts";
import type { Dialect, OutputLimit } from "./dialect.ts";
import { createFieldEncoder } from "./encode-fields.ts";
import { createNameLookup, type LocatedTool } from "./name-lookup.ts";
import {
  createCanonicalForm,
  createDialectForm,
  type ToolAnnotations,
  type ToolForm,
  type ToolMetadata,
} from "./tool-form.ts";

/** A registry as seen in one dialect: translates names, arguments, results and messages. */
export type DialectView = ReturnType<typeof createDialectView>;

/** The tool with a name, and its form in the terms of that name. */
export interface ResolvedName
  extends Pick<ToolForm, "inputSchema" | "translateInput" | "translateIssue" | "encodeResult"> {
  readonly entry: RegisteredTool;
  /** The name that was asked for. */
  readonly spokenName: string;
  readonly wording: Wording;
  readonly outputLimit: OutputLimit;
  /** Whether paths in the result are absolute, because the dialect's tools take no others. */
  readonly showsAbsolutePaths: boolean;
}

export interface PresentedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations: ToolAnnotations;
  readonly metadata: ToolMetadata;
  /** Why no call of it could pass, whatever its input; such a tool is offered to no model. */
  readonly denied?: string;
}

export function createDialectView(
  dialect: Dialect,
  registry: Pick<Registry, "find" | "findExact" | "list" | "revision" | "absenceOf">,
) {
  const { locate, offer } = createNameLookup(dialect, registry);
  const formOf = createFormCache(dialect);

  const nameOf = (canonicalName: string): string => {
    const entry = registry.findExact(canonicalName);
    return entry === undefined ? canonicalName : offer(entry).offeredName;
  };

  /** Frozen, because tools see it and it serves many calls. */
  const wordingOf = ({ nameArgument }: ToolForm): Wording =>
    Object.freeze<Wording>({
      argument(name, value, tool) {
        const other = tool === undefined ? undefined : registry.findExact(tool);
        return (other === undefined ? nameArgument : formOf(offer(other)).nameArgument)(name, value);
      },
      tool: nameOf,
      hasTool: (name) => registry.findExact(name) !== undefined,
    });

  const resolveNow = (name: string): ResolvedName | undefined => {
    const located = locate(name);
    if (located === undefined) return undefined;
    const form = formOf(located);
    return {
      ...form,
      entry: located.entry,
      spokenName: name,
      wording: wordingOf(form),
      outputLimit: outputLimitOf(located, dialect),
      // A tool called by another name than it is offered under answers in its own terms.
      showsAbsolutePaths:
        dialect.pathPolicy === "absolute" &&
        (located.row !== undefined || offer(located.entry).offeredName === name),
    };
  };

  // Every call resolves its tool. Callers may make up any number of names that lead nowhere.
  const resolve = cacheUntilChange(
    () => registry.revision,
    resolveNow,
    (found) => found !== undefined,
  );

  const present = (entry: RegisteredTool, session: SessionView): PresentedTool => {
    const offered = offer(entry);
    const { inputSchema, outputSchema, annotations, metadata } = formOf(offered);
    const { offeredName: name, row } = offered;
    const description = row?.description ?? descriptionOf(entry.tool, session);
    return { name, description, inputSchema, ...defined({ outputSchema }), annotations, metadata };
  };

  return {
    resolve,
    present,
    /** Every tool once, with the reason of those that are denied. */
    list: (
      session: SessionView,
      whyDenied?: (entry: RegisteredTool) => string | undefined,
    ): PresentedTool[] =>
      registry.list().map((entry) => {
        const presented = present(entry, session);
        const denied = whyDenied?.(entry);
        return denied === undefined ? presented : { ...presented, denied };
      }),
    /** Every group with the names of its tools, both as the dialect has them; tools without a group are left out. */
    groups(): Record<string, string[]> {
      const groups = Map.groupBy(registry.list(), (entry) => offer(entry).row?.group ?? entry.group);
      groups.delete(undefined);
      return Object.fromEntries(
        [...groups].map(([group, tools]) => [group, tools.map(({ name }) => nameOf(name))]),
      );
    },
    /** The dialect's name for a tool; its canonical name if the dialect has none. */
    nameOf,
    /** How many calls of one batch run at a time, if the dialect says so. */
    maxConcurrentCalls: dialect.maxConcurrentCalls,
    /** Results are JSON, and have to be JSON as well after something is left out of them or added. */
    writesJson: dialect.text === "json",
    /** Why a name is missing, if that is known. */
    absenceOf: registry.absenceOf,
    /** Names that an unknown name may have meant, likeliest first: of this dialect, or canonical ones. */
    nearest(name: string) {
      const toolNames = new Map<string, RegisteredTool>();
      for (const entry of registry.list())
        toolNames.set(entry.name, entry).set(offer(entry).offeredName, entry);
      // Twice as many, because each tool may be found by both of its names and is suggested by one.
      const nearest = nearestNames(name, toolNames.keys(), 2 * maxSuggestions);
      const tools = new Set<RegisteredTool>();
      const isFirst = (each: string) => tools.size < tools.add(toolNames.get(each)!).size;
      return nearest.filter(isFirst).slice(0, maxSuggestions);
    },
    ...createDialectMessages(dialect),
  };
}

const maxSuggestions = 3;

/** Translates each tool once, however often it is listed and called. */
function createFormCache(dialect: Dialect): (located: LocatedTool) => ToolForm {
  const canonicalForms = new WeakMap<AnyTool, ToolForm>();
  const dialectForms = new WeakMap<AnyTool, ToolForm>();
  return ({ entry: { tool }, row }) => {
    const forms = row === undefined ? canonicalForms : dialectForms;
    const known = forms.get(tool);
    if (known !== undefined) return known;
    const form = row === undefined ? createCanonicalForm(tool) : createDialectForm(tool, row, dialect);
    forms.set(tool, form);
    return form;
  };
}

/** The tool's own limit wins over the dialect's; a dialect row for the tool wins over both; the options over all. */
function outputLimitOf({ entry, row }: LocatedTool, { output, limitOf }: Dialect): OutputLimit {
  const { maxOutputCharacters = output.maxCharacters } = entry.tool;
  const usual = row?.output ?? { ...output, maxCharacters: maxOutputCharacters };
  return { ...usual, maxCharacters: limitOf?.(entry.name) ?? usual.maxCharacters };
}

/** The parts that a dialect's shape of a failed call is made of. */
interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string;
  readonly retryable: boolean;
  readonly tool: string;
  /** The data of the call's work so far. */
  readonly partial?: unknown;
  /** In the tool's own terms, if the call got so far; read only by a dialect that repeats it. */
  readonly input: () => unknown;
}

/** Errors in the dialect's own words and shape. */
export function createDialectMessages({ messages = {}, failure, text }: Dialect) {
  const {
    filesFound = "tool files found: {count}",
    toolLoaded = "tool loaded: {name}",
    toolsLoaded = "tools loaded: {count}",
  } = messages;
  const encode = failure && createFieldEncoder(failure);
  return {
    encodeFailure: ({ input, ...data }: Failure): { data?: unknown; text?: string | undefined } => {
      if (encode === undefined) return { data: data.partial };
      const encoded = encode({ data, input: input() });
      return { data: encoded, text: text === "json" ? JSON.stringify(encoded) : undefined };
    },
    encodeError: ({ code, message }: Pick<Failure, "code" | "message">): string => {
      // Its message is already the dialect's sentence for an unknown tool.
      if (messages.failed === undefined || code === "unknown-tool") return message;
      if (isFilled(messages.failed, message)) return message;
      return fillTemplate(messages.failed, new Map([["message", message]]));
    },
    unknownTool: (name: string, nearest: readonly string[]): string => {
      const shown = shorten(name);
      if (messages.unknownTool !== undefined)
        return fillTemplate(messages.unknownTool, new Map([["name", shown]]));
      return `there is no tool named ${JSON.stringify(shown)}${orMeant(nearest)}`;
    },
    /** The lines to log after a folder of tool files was loaded. The tools have the dialect's names. */
    describeLoading: ({ files, tools }: { files: number; tools: readonly string[] }) => [
      fillTemplate(filesFound, new Map([["count", `${files}`]])),
      ...tools.map((name) => fillTemplate(toolLoaded, new Map([["name", name]]))),
      fillTemplate(toolsLoaded, new Map([["count", `${tools.length}`]])),
    ],
  };
}

/** Replaces in one pass, so that braces inside a value stay text. */
function fillTemplate(template: string, values: ReadonlyMap<string, string>): string {
  return template.replace(/\{(\w+)\}/g, (placeholder, key: string) => values.get(key) ?? placeholder);
}

/** Whether a message already has the template's words around it, as when a tool writes the dialect's words itself. */
function isFilled(template: string, message: string): boolean {
  const [before = "", after = ""] = template.split("{message}");
  return message.startsWith(before) && message.endsWith(after);
}

const maxShownCharacters = 100;

/** Cuts a name that is too long to repeat: models have been seen to put a whole file into one. */
function shorten(name: string): string {
  return name.length > maxShownCharacters ? `${name.slice(0, maxShownCharacters)}…` : name;
}
