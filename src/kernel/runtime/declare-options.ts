import { cloneJson, NotJsonError } from "../../shared/json-schema/clone-json.ts";
import { compileSchema } from "../../shared/json-schema/compile-schema.ts";
import type { ValidationIssue } from "../../shared/json-schema/json-schema.ts";
import type { ObjectShape } from "../../shared/options/known-keys.ts";
import type { RuntimeOption } from "../../shared/options/option.ts";
import { refuseUnknownKeys } from "../../shared/options/refuse-unknown-keys.ts";
import { kernelOptions } from "../options/index.ts";
import type { RuntimeOptions } from "./runtime-options.ts";

type AnyOption = RuntimeOption<unknown, unknown>;

/** Joins the declarations of the kernel's options with those of capabilities. */
export function declareOptions(capabilities: readonly { readonly options?: object }[]) {
  const tables = [kernelOptions, ...capabilities.map(({ options = {} }) => options)];
  const all = new Map<string, AnyOption>(tables.flatMap((table) => Object.entries(table)));
  const keys: ObjectShape = {
    kind: "object",
    keys: Object.fromEntries([...all].map(([name, option]) => [name, option.keys])),
    orValue: false,
  };
  return {
    /** By name, those of the kernel first. */
    all: all as ReadonlyMap<string, AnyOption>,
    keys,
    /** Refuses unknown names and values, which would otherwise be ignored silently. */
    check(options: RuntimeOptions) {
      refuseUnknownKeys(options, keys, "openRuntime");
      for (const [name, given] of Object.entries(options)) {
        const option = all.get(name);
        if (option === undefined || given === undefined) continue;
        option.check?.(given);
        checkSchema(name, option, given);
      }
    },
  };
}

/** Refuses a value of another form than the option's schema tells. Functions and the like are checked where they are used. */
function checkSchema(name: string, { file, codeSchema = file?.schema }: AnyOption, given: unknown): void {
  if (codeSchema === undefined || !isJson(given)) return;
  const check = compileSchema(
    { type: "object", properties: { [name]: codeSchema } },
    { fillsDefaults: false },
  );
  const validation = check({ [name]: given });
  if (validation.ok) return;
  const [{ path, expected }] = validation.issues as [ValidationIssue];
  // Without the value, which may be a secret.
  throw new TypeError(`openRuntime: ${path.slice("$.".length)} must be ${expected}`);
}

function isJson(given: unknown): boolean {
  try {
    cloneJson(given);
    return true;
  } catch (error) {
    if (error instanceof NotJsonError) return false;
    throw error;
  }
}
