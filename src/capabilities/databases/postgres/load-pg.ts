import { ToolError } from "../../../tool/tool-error.ts";

/** Loads the optional package pg. */
export async function loadPg() {
  try {
    return (await import("pg")).default;
  } catch (cause) {
    throw new ToolError(
      "unavailable",
      "a PostgreSQL database needs the optional package pg, which is not installed",
      { hint: 'Install it with "npm install pg".', cause },
    );
  }
}
