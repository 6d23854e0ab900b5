import type { HookCall } from "../index.ts";
import { type Dialect, type DialectParams, toDialectValue } from "../kernel/dialects/index.ts";
import { isPlainObject } from "../shared/json.ts";

/**
 * Translates a call into a system's own names, whichever of the tool's names the caller used: the hook that judges the
 * call knows the tool by that one name alone, and has to judge the tool that will run.
 */
export function inDialectsWords(
  { tools }: Pick<Dialect, "tools">,
  call: Pick<HookCall, "tool" | "input"> & Partial<Pick<HookCall, "name" | "written">>,
) {
  const { tool, name, input, written } = call;
  const row = Object.hasOwn(tools, tool) ? tools[tool] : undefined;
  if (row === undefined) return { name: tool, args: input };
  // Only the model's own arguments have the system's additional ones, such as the context of a task.
  const own = name === row.name && isPlainObject(written) ? written : {};
  return { name: row.name, args: { ...own, ...toSpokenArguments(input, row.params) } };
}

function toSpokenArguments(input: unknown, params: DialectParams = {}): Record<string, unknown> {
  if (!isPlainObject(input)) return {};
  const shown = Object.entries(input).flatMap(([name, value]): [string, unknown][] => {
    const param = params[name];
    if (param === undefined) return [[name, value]];
    if (param === null || param.fixed !== undefined) return [];
    const { items, name: spokenName = name } = param;
    if (items === undefined || !Array.isArray(value)) return [[spokenName, toDialectValue(value, param)]];
    return [[spokenName, value.map((item) => toSpokenArguments(item, items))]];
  });
  return Object.fromEntries(shown);
}
