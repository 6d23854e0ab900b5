import type { RuntimeOptions } from "../runtime-options.ts";
import type { FlagValues } from "./flags.ts";
import { UsageError } from "./usage-error.ts";

/** The runtime's options as the configuration file gives them, with the flags laid over. */
export async function optionsFromFlags(flags: FlagValues): Promise<RuntimeOptions> {
  const config = flags.config === undefined ? {} : await readConfig(flags.config);
  const { workspace, store, dialect, mode } = flags;
  return {
    ...config,
    ...(workspace !== undefined && { workspace }),
    ...(store !== undefined && { store }),
    ...(dialect !== undefined && { dialect }),
    ...(mode !== undefined && { permissions: { ...config.permissions, mode: await checkedMode(mode) } }),
  };
}

async function readConfig(file: string): Promise<RuntimeOptions> {
  const { ConfigError, readConfigFile } = await import("../config/config-file.ts");
  try {
    return await readConfigFile(file);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new UsageError(error.message, { cause: error });
  }
}

async function checkedMode(
  mode: string,
): Promise<NonNullable<RuntimeOptions["permissions"]>["mode"] & string> {
  const { modes } = await import("../runtime/permissions/decide.ts");
  const known = modes.find((each) => each === mode);
  if (known !== undefined) return known;
  throw new UsageError(`--mode must be one of ${modes.join(", ")}; received ${JSON.stringify(mode)}`);
}
