import { mkdir, open, readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { renameNow, statNow } from "../../../runtime/locks/files-now.ts";
import { withUserLock } from "../../../runtime/locks/user-lock.ts";
import { compileSchema } from "../../../shared/json-schema/compile-schema.ts";
import type { JsonSchema } from "../../../shared/json-schema/json-schema.ts";
import { newId } from "../../../shared/new-id.ts";
import type { Pin } from "./pin.ts";

/** Empty if there is no file. A file that cannot be read is an error, or changed tools would be approved as new. */
export async function readPinFile(file: string): Promise<readonly Pin[]> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
  return parsePins(text, file);
}

/** Changes the file atomically. `change` runs again if another process changes the file at the same time. */
export async function updatePinFile(
  file: string,
  change: (pins: readonly Pin[]) => readonly Pin[],
): Promise<readonly Pin[]> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  for (;;) {
    const seen = stampOf(file);
    const pins = change(await readPinFile(file));
    if (await replaceFile(file, { text: `${JSON.stringify({ version: 1, pins })}\n`, seen })) return pins;
  }
}

/** Changes whenever the file is replaced. */
function stampOf(file: string): string {
  const stats = statNow(file, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? "" : `${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`;
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

/** False if another process has replaced it since it was seen. */
async function replaceFile(file: string, { text, seen }: { text: string; seen: string }): Promise<boolean> {
  const aside = `${file}.${newId("new")}`;
  try {
    const handle = await open(aside, "wx", 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    return await withUserLock("pins", () => {
      if (stampOf(file) !== seen) return false;
      renameNow(aside, file);
      return true;
    });
  } finally {
    await rm(aside, { force: true });
  }
}
