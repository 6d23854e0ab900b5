import type { JsonSchema, ValidationIssue } from "../../shared/json-schema/json-schema.ts";
import { defined } from "../../shared/options/defined.ts";
import type { AnyTool } from "../../tool/define-tool.ts";
import type { Safety, SafetyLevel } from "../../tool/traits.ts";
import { canonicalWording, type Wording } from "../../tool/wording.ts";
import type { Dialect, DialectParams, DialectTool, ResultText } from "./dialect.ts";
import { toDialectValue } from "./dialect-value.ts";
import { createObjectEncoder, type ResultParts } from "./encode-fields.ts";
import { createInputTranslation, type Translation } from "./translate-input.ts";
import { translateOutputSchema } from "./translate-output-schema.ts";
import { translateSchema } from "./translate-schema.ts";

/** A tool's schemas and translations, in its own terms or in a dialect's. Made once per tool. */
export interface ToolForm {
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema | undefined;
  readonly annotations: ToolAnnotations;
  readonly metadata: ToolMetadata;
  translateInput(input: unknown): Translation;
  /** Translates problems that were found in the tool's own terms, after the input was translated. */
  translateIssue(issue: ValidationIssue): ValidationIssue;
  /** The result as the caller's dialect has it. */
  encodeResult(parts: ResultParts & { readonly text: string }): {
    readonly data: unknown;
    readonly text: string;
  };
  nameArgument: Wording["argument"];
}

/** A tool's traits as MCP annotations. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
  readonly safetyLevel: SafetyLevel;
}

/**
 * The description of a tool in a catalogue, beside its traits. A dialect's own flags are here as its original has them;
 * only the annotations can be relied on.
 */
export interface ToolMetadata {
  readonly aliases: readonly string[];
  readonly searchHint?: string;
  readonly concurrencySafe: boolean;
  readonly readOnly: boolean;
  readonly destructive: boolean;
  readonly safety: Safety;
  readonly [flag: string]: unknown;
}

export function createCanonicalForm(tool: AnyTool): ToolForm {
  return {
    inputSchema: tool.inputSchema,
    outputSchema: tool.outputSchema,
    annotations: annotationsOf(tool),
    metadata: {
      aliases: tool.aliases,
      ...defined({ searchHint: tool.searchHint }),
      concurrencySafe: tool.traits.concurrencySafe,
      readOnly: tool.traits.readOnly,
      destructive: tool.traits.destructive,
      safety: tool.safety,
    },
    translateInput: (input) => ({ ok: true, input }),
    translateIssue: (issue) => issue,
    encodeResult: ({ data, text }) => ({ data, text }),
    nameArgument: canonicalWording.argument,
  };
}

/** Clients act on these without asking, so they describe the worst that the tool may do. */
function annotationsOf({ traits, permission, safetyLevel }: AnyTool): ToolAnnotations {
  const { readOnly, destructive, idempotent, openWorld, changesFilesOnly, runsCommands } = traits;
  // A tool that declares no permission may do anything.
  const mayDoAnything = !readOnly && (runsCommands || (permission === undefined && !changesFilesOnly));
  return {
    readOnlyHint: readOnly,
    destructiveHint: !readOnly && (destructive || changesFilesOnly || mayDoAnything),
    idempotentHint: idempotent,
    openWorldHint: openWorld || mayDoAnything,
    safetyLevel,
  };
}

export function createDialectForm(tool: AnyTool, row: DialectTool, dialect: Dialect): ToolForm {
  const { params, ownParams, result } = row;
  const inputSchema = translateSchema(tool.inputSchema, row);
  const canonical = createCanonicalForm(tool);
  return {
    ...canonical,
    inputSchema,
    metadata: { ...canonical.metadata, aliases: row.aliases ?? [], ...row.metadata },
    outputSchema:
      tool.outputSchema && result
        ? translateOutputSchema(tool.outputSchema, result, { inputSchema, params })
        : tool.outputSchema,
    translateInput: createInputTranslation({
      canonicalSchema: tool.inputSchema,
      dialectSchema: inputSchema,
      params,
      ownParams,
      pathPolicy: dialect.pathPolicy,
    }),
    translateIssue: (issue) => translateIssue(issue, params),
    encodeResult: createResultEncoding(row, row.text ?? dialect.text),
    nameArgument: (name, value) => {
      const param = params?.[name];
      return param ? `${param.name ?? name}=${toDialectValue(value, param)}` : `${name}=${value}`;
    },
  };
}

function createResultEncoding(
  { params, result }: DialectTool,
  textForm: ResultText = "words",
): ToolForm["encodeResult"] {
  // Only an object has fields to name; a preview, or a hook's answer in the tool's place, may be something else.
  const encode = result && createObjectEncoder(result, params);
  return (parts) => {
    const data = encode ? encode(parts) : parts.data;
    const text = textForm === "json" && data !== undefined ? JSON.stringify(data) : parts.text;
    return { data, text };
  };
}

/**
 * Translates a problem's path from the tool's own terms to the caller's. Needed for checks that a schema library adds
 * to the JSON Schema; everything else was already checked in the caller's terms.
 */
export function translateIssue(issue: ValidationIssue, params: DialectParams = {}): ValidationIssue {
  const path = translatePath(issue.path, params);
  if (path === issue.path) return issue;
  const message = issue.message.startsWith(issue.path)
    ? path + issue.message.slice(issue.path.length)
    : issue.message;
  return { ...issue, path, message };
}

/** `$.edits[0].old_string`: a name, perhaps the number of an entry, and the path inside it. */
function translatePath(path: string, params: DialectParams): string {
  const [, canonicalName = "", rest = ""] = /^\$\.([^.[]+)(.*)$/s.exec(path) ?? [];
  const param = params[canonicalName];
  if (canonicalName === "" || !param) return path;
  const [, entry = "", inside = ""] = /^(\[\d+\])(\..*)$/s.exec(rest) ?? [];
  const translated =
    param.items && inside !== "" ? entry + translatePath(`$${inside}`, param.items).slice(1) : rest;
  return `$.${param.name ?? canonicalName}${translated}`;
}
