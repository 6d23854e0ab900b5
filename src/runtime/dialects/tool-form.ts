import type { JsonSchema, ValidationIssue } from "../../shared/json-schema/json-schema.ts";
import type { AnyTool } from "../../tool/define-tool.ts";
import type { SafetyLevel } from "../../tool/traits.ts";
import { canonicalWording, type Wording } from "../../tool/wording.ts";
import { toDialectNumber } from "./convert-number.ts";
import type { Dialect, DialectTool } from "./dialect.ts";
import { encodeFields } from "./encode-fields.ts";
import { createInputTranslation, type Translation } from "./translate-input.ts";
import { translateIssue } from "./translate-issue.ts";
import { translateOutputSchema } from "./translate-output-schema.ts";
import { translateSchema } from "./translate-schema.ts";

/** A tool's schemas and translations, in its own terms or in a dialect's. Made once per tool. */
export interface ToolForm {
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations: ToolAnnotations;
  translateInput(input: unknown): Translation;
  translateIssue(issue: ValidationIssue): ValidationIssue;
  encodeData(data: unknown): unknown;
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

export function createCanonicalForm(tool: AnyTool): ToolForm {
  return {
    inputSchema: tool.inputSchema,
    ...(tool.outputSchema && { outputSchema: tool.outputSchema }),
    annotations: {
      readOnlyHint: tool.traits.readOnly,
      destructiveHint: tool.traits.destructive,
      idempotentHint: tool.traits.idempotent,
      openWorldHint: tool.traits.openWorld,
      safetyLevel: tool.safetyLevel,
    },
    translateInput: (input) => ({ ok: true, input }),
    translateIssue: (issue) => issue,
    encodeData: (data) => data,
    nameArgument: canonicalWording.argument,
  };
}

export function createDialectForm(
  tool: AnyTool,
  { row, pathPolicy }: { row: DialectTool; pathPolicy: Dialect["pathPolicy"] },
): ToolForm {
  const { params, result } = row;
  const inputSchema = translateSchema(tool.inputSchema, params);
  return {
    ...createCanonicalForm(tool),
    inputSchema,
    ...(tool.outputSchema && result && { outputSchema: translateOutputSchema(tool.outputSchema, result) }),
    translateInput: createInputTranslation({
      canonicalSchema: tool.inputSchema,
      dialectSchema: inputSchema,
      params,
      pathPolicy,
    }),
    translateIssue: (issue) => translateIssue(issue, params),
    ...(result && { encodeData: (data) => encodeFields(data, result) }),
    nameArgument: (name, value) => {
      const param = params?.[name];
      return param ? `${param.name ?? name}=${toDialectNumber(value, param)}` : `${name}=${value}`;
    },
  };
}
