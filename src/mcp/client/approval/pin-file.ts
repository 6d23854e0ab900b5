import { mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
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

/** Changes the file atomically, under a lock against other processes. */
export async function updatePinFile(
  file: string,
  change: (pins: readonly Pin[]) => readonly Pin[],
): Promise<readonly Pin[]> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const unlock = await lockFile(`${file}.lock`);
  try {
    const pins = change(await readPinFile(file));
    await replaceFile(file, `${JSON.stringify({ version: 1, pins })}\n`);
    return pins;
  } finally {
    await unlock();
  }
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

async function replaceFile(file: string, text: string): Promise<void> {
  const aside = `${file}.${newId("new")}`;
  const handle = await open(aside, "wx", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  try {
    await rename(aside, file);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
}

async function lockFile(path: string): Promise<() => Promise<void>> {
  const giveUpAt = performance.now() + maxWaitMs;
  for (;;) {
    try {
      await (await open(path, "wx", 0o600)).close();
      return () => rm(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    if (performance.now() > giveUpAt) throw new Error(`${path} is locked by another process`);
    await removeStale(path);
    await wait(retryMs);
  }
}

// Writing the file is quick, so a holder of an older lock was killed.
const staleMs = 5_000;
const maxWaitMs = 15_000;
const retryMs = 20;

async function removeStale(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found !== undefined && Date.now() - found.mtimeMs > staleMs) await rm(path, { force: true });
}
