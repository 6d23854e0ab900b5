import { ToolError } from "../../tool/tool-error.ts";
import type { Gate } from "../policy/gate.ts";
import {
  type AnyService,
  isActing,
  type ServiceCall,
  type ServiceName,
  type ServiceViews,
} from "./service.ts";
import { type OpenedServices, services } from "./services.ts";

/** The services that the calls of a session may use. */
export interface CallServices {
  readonly opened: Partial<OpenedServices>;
  /** Says in other words that one is missing. */
  readonly missing?: (name: ServiceName) => ToolError | undefined;
}

/** The same, with some of them as somebody else uses them. */
export function withServices(services: CallServices, own: Partial<OpenedServices>): CallServices {
  return { ...services, opened: { ...services.opened, ...own } };
}

export interface ViewParts {
  readonly services: CallServices;
  readonly gate: Gate;
  readonly call: ServiceCall;
  isOpen(): boolean;
  /** Waits for what was begun even where the tool or its caller does not, so that the record tells all that was done. */
  track<Result>(work: Promise<Result>): Promise<Result>;
}

/** A service as one call may use it. What holds for every service and every method is said here, and nowhere else. */
export function createView<Name extends ServiceName>(name: Name, parts: ViewParts): ServiceViews[Name] {
  const { services: available, gate, call, isOpen, track } = parts;
  const service = available.opened[name];
  if (service === undefined) return missingView(available.missing?.(name) ?? unavailable(name));
  const { inPreview = "a preview does not act", isBrief = false }: Pick<AnyService, "inPreview" | "isBrief"> =
    services[name];
  const guard =
    (operate: (...given: unknown[]) => Promise<unknown>) =>
    async (...given: unknown[]): Promise<unknown> => {
      // Once the call has ended, its receipt tells all, and nothing new may begin.
      if (!isOpen()) throw callEnded();
      if (!isActing(operate)) return operate(...given);
      if (call.isPreview && inPreview !== "plans") throw new ToolError("unsupported", inPreview);
      const work = operate(...given);
      return (isBrief ? track(work) : work).finally(() => gate.forget());
    };
  const view = Object.entries(service.forCall(gate, call));
  return Object.fromEntries(view.map(([method, operate]) => [method, guard(operate)])) as ServiceViews[Name];
}

/** Whatever is asked of it, it says that it is missing. */
function missingView<View>(error: ToolError): View {
  const refuse = async () => {
    throw error;
  };
  // What others look for on any object, such as whoever waits for it or prints it, is no method of it.
  const isAnyObjects = (name: string | symbol) =>
    typeof name === "symbol" || name in Object.prototype || name === "then" || name === "toJSON";
  const get = (target: object, name: string | symbol) =>
    isAnyObjects(name) ? Reflect.get(target, name) : refuse;
  return new Proxy({}, { get, has: (_target, name) => !isAnyObjects(name) }) as View;
}

function unavailable(name: ServiceName): ToolError {
  return new ToolError("unavailable", `${services[name].offers}: this runtime does not offer it`);
}

function callEnded(): ToolError {
  return new ToolError("cancelled", "the call has ended");
}
