import { isPlainObject } from "../../shared/json.ts";
import { cloneJson } from "../../shared/json-schema/clone-json.ts";
import { describeThrown } from "../../shared/text/describe-thrown.ts";
import type { UndoCall } from "../../tool/define-tool.ts";
import type { ToolContext } from "../../tool/tool-context.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { flytoField } from "./flyto-fields.ts";
import type { FlytoUndoInfo } from "./flyto-types.ts";

/**
 * Asks a tool right after it ran how its call can be reverted, because later it could not tell any more. A tool that
 * fails to answer has still done its work, so the call is done and a warning is logged.
 */
export async function captureUndo(
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
    ...(typeof toolName === "string" && toolName !== "" && { ToolName: toolName }),
    // As text, where it was written for Flyto's engine.
    Input: cloneJson(typeof input === "string" ? JSON.parse(input) : input),
    ...(typeof description === "string" && { Description: description }),
  };
}

/** The call that reverts another one, of which this is the output. */
export function toUndoCall(name: string, output: unknown): UndoCall {
  const { ToolName, Input, Description }: FlytoUndoInfo =
    isPlainObject(output) && isPlainObject(output.undoInfo) ? output.undoInfo : {};
  if (ToolName !== undefined) return { call: { name: ToolName, input: Input } };
  if (Description !== undefined)
    throw new ToolError("unavailable", `${name} can be undone only by hand: ${Description}`);
  throw new ToolError("unavailable", `${name} did not say how to undo this call`);
}
