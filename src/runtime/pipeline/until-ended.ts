import { ToolError } from "../../tool/tool-error.ts";

/** A service as a call may use it: once the call has ended, its receipt tells all, and nothing new may begin. */
export function untilEnded<Service extends object>(service: Service, isOpen: () => boolean): Service {
  const guarded = Object.entries(service).map(([name, operate]) => [
    name,
    async (...given: unknown[]) => {
      if (!isOpen()) throw callEnded();
      return operate(...given);
    },
  ]);
  return Object.fromEntries(guarded) as Service;
}

export function callEnded(): ToolError {
  return new ToolError("cancelled", "the call has ended");
}
