import type { MaybePromise } from "../../../shared/maybe-promise.ts";
import { type ResolvedCall, toolOf } from "../call.ts";

/** Keeps what it takes to undo the call: the changes it made to files, whatever became of it, or its input and output. */
export function keepForUndo(call: ResolvedCall): MaybePromise<void> {
  const { changes = [], output, request, resolved } = call;
  const undoesItself = toolOf(call).undo !== undefined && output !== undefined;
  if (request.isDryRun || (changes.length === 0 && !undoesItself)) return;
  const own = undoesItself ? { own: { input: call.input, output } } : {};
  return call.host.undo.keep({ tool: resolved.entry.name, changes, ...own }).then((name) => {
    if (name !== undefined) call.undoName = name;
  });
}
