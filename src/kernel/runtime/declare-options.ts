import type { ObjectShape } from "../../shared/options/known-keys.ts";
import type { RuntimeOption } from "../../shared/options/option.ts";
import { refuseUnknownKeys } from "../../shared/options/refuse-unknown-keys.ts";
import { kernelOptions } from "../options/index.ts";
import type { RuntimeOptions } from "./runtime-options.ts";

/** Joins the declarations of the kernel's options with those of capabilities. */
export function declareOptions(capabilities: readonly { readonly options?: object }[]) {
  const tables = [kernelOptions, ...capabilities.map(({ options = {} }) => options)];
  const all = new Map<string, RuntimeOption<unknown, unknown>>(
    tables.flatMap((table) => Object.entries(table)),
  );
  const keys: ObjectShape = {
    kind: "object",
    keys: Object.fromEntries([...all].map(([name, option]) => [name, option.keys])),
    orValue: false,
  };
  return {
    /** By name, those of the kernel first. */
    all: all as ReadonlyMap<string, RuntimeOption<unknown, unknown>>,
    keys,
    /** Refuses unknown names and values, which would otherwise be ignored silently. */
    check(options: RuntimeOptions) {
      refuseUnknownKeys(options, keys, "openRuntime");
      for (const [name, given] of Object.entries(options)) {
        if (given !== undefined) all.get(name)?.check?.(given);
      }
    },
  };
}
