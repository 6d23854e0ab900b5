import type { PresentedTool } from "../runtime/dialects/dialect-view.ts";
import type { CallRequest, CallResult } from "../runtime/pipeline/call.ts";

/** What interop needs of a session. */
export interface InteropSession {
  list(): readonly PresentedTool[];
  /** Those that a model is offered now; with `only`, of these names. */
  listActive(only?: readonly string[]): readonly PresentedTool[];
  find(name: string): { readonly tool: PresentedTool; readonly isConcurrencySafe: boolean } | undefined;
  callAll(requests: readonly CallRequest[]): Promise<CallResult[]>;
}
