import type { MaybePromise } from "../../../shared/maybe-promise.ts";
import { type ResolvedCall, toolOf } from "../call.ts";

/** Keeps the call's file changes, even if it failed, and for a tool with its own `undo` its input and output. */
export function keepForUndo(call: ResolvedCall): MaybePromise<void> {
  const { changes = [], output, request, resolved } = call;
  const undoesItself = toolOf(call).undo !== undefined && output !== undefined;
  if (request.isDryRun || (changes.length === 0 && !undoesItself)) return;
  const own = undoesItself ? { own: { input: call.undoInput, output } } : {};
  return call.host.undo.keep({ tool: resolved.entry.name, changes, ...own }).then((name) => {
    if (name !== undefined) call.undoName = name;
  });
}
