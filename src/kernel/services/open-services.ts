import type { Traits } from "../../tool/traits.ts";
import type { AnyService, ServiceTable } from "./service.ts";
import type { ServiceName } from "./service-views.ts";

/** The services of a table, opened for a session. */
export type OpenedServices<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Openable
    ? Awaited<ReturnType<Table[Name]["open"]>>
    : never;
};

/** Everything needed to open all services of a table. */
export type ServiceParts<Table> = Omit<AllOf<PartsOf<Table[keyof Table]>>, ServiceName>;

type Openable = Pick<AnyService, "open">;
type PartsOf<Service> = Service extends Openable ? Parameters<Service["open"]>[0] : never;
type AllOf<Union> = (Union extends unknown ? (part: Union) => void : never) extends (part: infer All) => void
  ? All
  : never;

/** Opens services in the order of their table. Each gets those opened before it. */
export async function openServices<Table extends ServiceTable>(
  table: Table,
  parts: ServiceParts<Table>,
): Promise<OpenedServices<Table>> {
  const opened: Record<string, unknown> = {};
  try {
    for (const [name, service] of Object.entries(table)) {
      const open = service.open as (parts: object) => unknown;
      // No clash: `ServiceParts` excludes the names of services.
      opened[name] = await open({ ...parts, ...opened });
    }
  } catch (error) {
    await closeServices(opened).catch(() => {});
    throw error;
  }
  return opened as OpenedServices<Table>;
}

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
