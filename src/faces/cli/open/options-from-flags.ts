import { stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { RuntimeOptions } from "../../../kernel/runtime/index.ts";
import { defined } from "../../../shared/options/defined.ts";
import { escapeLine } from "../../../shared/text/escape-controls.ts";
import { UsageError } from "../command.ts";
import { type FlagValues, flags as flagTable } from "../flags.ts";
import { readChoice } from "../read-values.ts";

/**
 * Reads the runtime's options: those of the configuration files, overridden by the flags. With `onBroken`, a file with a
 * mistake is reported and left out, for commands that only read.
 */
export async function optionsFromFlags(
  flags: FlagValues,
  { onBroken }: { readonly onBroken?: (message: string) => void } = {},
): Promise<RuntimeOptions> {
  const config = await readConfigs(flags).catch((error: unknown): RuntimeOptions => {
    if (onBroken === undefined || !(error instanceof UsageError)) throw error;
    onBroken(error.message);
    return {};
  });
  const { workspace, store, dialect } = flags;
  if (store !== undefined) await checkStore(store);
  const options = { ...config, ...defined({ workspace, store, dialect }) };
  const mode = readChoice("--mode", flags.mode, flagTable.mode.choices);
  return mode === undefined ? options : { ...options, permissions: { ...config.permissions, mode } };
}

/** Refuses a missing folder instead of creating it: after a typo, the records would not be found again. */
async function checkStore(address: string): Promise<void> {
  const [, file] = /^sqlite:(.+)$/s.exec(address) ?? [];
  if (file === undefined) return;
  const folder = dirname(resolve(file));
  if (await stat(folder).catch(() => undefined)) return;
  throw new UsageError(`--store: the folder ${folder} does not exist; create it first`);
}

async function readConfigs({ workspace, config: file }: FlagValues): Promise<RuntimeOptions> {
  const [{ readConfigLayers }, { withConfigFile }] = await Promise.all([
    import("../config/config-layers.ts"),
    import("../../../kernel/options/config-origin.ts"),
  ]);
  const { options, notes } = await readConfigLayers({ workspace, file });
  notes.forEach(tellOnce);
  return file === undefined ? options : withConfigFile(options, resolve(file));
}

const told = new Set<string>();

/** Tells a note once: a command may read the configuration several times. */
export function tellOnce(note: string): void {
  if (told.has(note)) return;
  told.add(note);
  process.stderr.write(`toolwright: ${escapeLine(note)}\n`);
}
