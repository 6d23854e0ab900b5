import { ToolError } from "../../../tool/tool-error.ts";

/** The error for a blob that is gone. */
export function notStored(message = "the earlier version is no longer stored"): ToolError {
  return new ToolError("unavailable", message, {
    hint: "It was larger than the space for earlier versions, or was evicted to make room for newer ones.",
  });
}
