import { readOwnFile, updateOwnFile } from "../../../machine/locks/own-file.ts";
import { compileSchema } from "../../../shared/json-schema/compile-schema.ts";
import type { JsonSchema } from "../../../shared/json-schema/json-schema.ts";

/** A server's configuration or a tool's definition as seen at one time. */
export interface PinContent {
  readonly hash: string;
  /** For a person to read, and for later comparison. */
  readonly text: string;
}

/** A server, or one of its tools. */
export interface PinSubject {
  readonly server: string;
  readonly tool?: string;
}

export interface Pin extends PinSubject {
  readonly approved?: PinContent;
  /** Content seen since the last decision, and not decided yet. */
  readonly pending?: PinContent;
  /** Hash of the denied content. */
  readonly denied?: string;
}

/** Empty if there is no file. A file that cannot be read is an error, or changed tools would be approved as new. */
export async function readPinFile(file: string): Promise<readonly Pin[]> {
  const text = await readOwnFile(file);
  return text === undefined ? [] : parsePins(text, file);
}

/** Changes the file atomically. `change` runs again if another process changes the file at the same time. */
export async function updatePinFile(
  file: string,
  change: (pins: readonly Pin[]) => readonly Pin[],
): Promise<readonly Pin[]> {
  let pins: readonly Pin[] = [];
  const write = (text: string | undefined) => {
    pins = change(text === undefined ? [] : parsePins(text, file));
    return `${JSON.stringify({ version: 1, pins })}\n`;
  };
  await updateOwnFile(file, write);
  return pins;
}

const content: JsonSchema = {
  type: "object",
  properties: { hash: { type: "string" }, text: { type: "string" } },
  required: ["hash", "text"],
};

const checkFile = compileSchema({
  type: "object",
  properties: {
    version: { const: 1 },
    pins: {
      type: "array",
      items: {
        type: "object",
        properties: {
          server: { type: "string" },
          tool: { type: "string" },
          approved: content,
          pending: content,
          denied: { type: "string" },
        },
        required: ["server"],
      },
    },
  },
  required: ["version", "pins"],
});

function parsePins(text: string, file: string): readonly Pin[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw new Error(`${file} is damaged; delete it, then approve MCP servers and tools again`, { cause });
  }
  const validation = checkFile(parsed);
  if (validation.ok) return (validation.value as { pins: readonly Pin[] }).pins;
  throw new Error(`${file} is damaged: ${validation.issues[0]?.message}`);
}
