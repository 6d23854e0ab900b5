import type { Traits } from "../../tool/traits.ts";
import type { ServiceTable } from "./service.ts";
import type { ServiceName } from "./service-views.ts";

/** Closes in reverse order, so that no service outlives one it uses. Closes all even if one fails, then throws. */
export async function closeServices(opened: object): Promise<void> {
  const failures: unknown[] = [];
  const services = Object.values(opened) as ({ close?(): Promise<void> } | undefined)[];
  for (const service of services.toReversed()) {
    await service?.close?.().catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

/** Why no call of a tool could succeed, if it requires a service that the runtime lacks. */
export function whyLacking(
  { requires = [] }: Pick<Traits, "requires">,
  table: ServiceTable,
  lacking: readonly ServiceName[],
): string | undefined {
  const missing = requires.find((name) => table[name] === undefined || lacking.includes(name));
  return missing && doesNotSupport(table, missing);
}

export function doesNotSupport(table: ServiceTable, name: ServiceName): string {
  return `this runtime does not support ${table[name]?.offers ?? name}`;
}
