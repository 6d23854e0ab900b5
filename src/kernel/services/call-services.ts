import { ToolError } from "../../tool/tool-error.ts";
import type { Gate } from "../policy/index.ts";
import { findUnknownOption } from "./method-keys.ts";
import { doesNotSupport } from "./open-services.ts";
import {
  type AnyService,
  isActing,
  type OpenService,
  type ServiceCall,
  type ServiceTable,
} from "./service.ts";
import type { ServiceName, ServiceViews } from "./service-views.ts";

/** The services that the calls of a session may use. */
export interface CallServices {
  readonly table: ServiceTable;
  readonly opened: OpenedTable;
  /** Replaces the usual error for a missing service. */
  readonly missing?: (name: ServiceName) => ToolError | undefined;
}

/** The services of a session that are open, by name. */
export type OpenedTable = { readonly [Name in ServiceName]?: OpenService<Name> | undefined };

/** The same services, some of them replaced. */
export function withServices(services: CallServices, own: OpenedTable): CallServices {
  return { ...services, opened: { ...services.opened, ...own } };
}

export interface ViewParts {
  readonly services: CallServices;
  readonly gate: Gate;
  readonly call: ServiceCall;
  /** Whether the call has ended. */
  readonly life: { readonly isOpen: boolean };
  /** Throws if the session belongs to another process by now. */
  confirmOwner(): void;
  /** Makes the call wait for work even if its tool does not, so that the receipt records everything that was done. */
  track<Result>(work: Promise<Result>): Promise<Result>;
}

/** A service as one call may use it. The rules that apply to every service and every method are enforced here only. */
export function createView<Name extends ServiceName>(name: Name, parts: ViewParts): ServiceViews[Name] {
  const { services: available, gate, call, life, confirmOwner, track } = parts;
  const service: OpenService<Name> | undefined = available.opened[name];
  const declared: AnyService | undefined = available.table[name];
  if (service === undefined || declared === undefined)
    return missingView(available.missing?.(name) ?? unavailable(available.table, name));
  const { inPreview = "a preview changes nothing", isBrief = false, keys, confirmsOwner } = declared;
  const guard =
    (method: string, operate: (...given: unknown[]) => Promise<unknown>) =>
    async (...given: unknown[]): Promise<unknown> => {
      // The receipt is complete once the call has ended, so nothing new may start.
      if (!life.isOpen) throw callEnded();
      const unknown = keys && findUnknownOption(keys, method, given);
      if (unknown !== undefined) throw new TypeError(`${name}.${method}: ${unknown}`);
      if (!isActing(operate)) return operate(...given);
      if (call.isPreview && inPreview !== "plans") throw new ToolError("unsupported", inPreview);
      if (!call.isPreview && !confirmsOwner) confirmOwner();
      const work = operate(...given);
      return (isBrief ? track(work) : work).finally(() => gate.forget());
    };
  const view = Object.entries(service.forCall(gate, call));
  return Object.fromEntries(
    view.map(([method, operate]) => [method, guard(method, operate)]),
  ) as ServiceViews[Name];
}

/** Every method throws the error. */
function missingView<View>(error: ToolError): View {
  const refuse = async () => {
    throw error;
  };
  // Properties that `await`, printing and the like look up on any object are not methods of the service.
  const isAnyObjects = (name: string | symbol) =>
    typeof name === "symbol" || name in Object.prototype || name === "then" || name === "toJSON";
  const get = (target: object, name: string | symbol) =>
    isAnyObjects(name) ? Reflect.get(target, name) : refuse;
  return new Proxy({}, { get, has: (_target, name) => !isAnyObjects(name) }) as View;
}

function unavailable(table: ServiceTable, name: ServiceName): ToolError {
  return new ToolError("unavailable", doesNotSupport(table, name));
}

function callEnded(): ToolError {
  return new ToolError("cancelled", "the call has ended");
}
