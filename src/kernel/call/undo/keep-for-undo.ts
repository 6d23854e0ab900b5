import type { MaybePromise } from "../../../shared/maybe-promise.ts";
import { cutMiddle } from "../../../shared/text/cut-middle.ts";
import type { UndoRecord } from "../../store/blobs/undo-record.ts";
import type { ResolvedCall } from "../call.ts";

/**
 * Keeps the call's file changes with a diff for people, even if it failed, and for a tool with its own `undo` its input and
 * output.
 */
export function keepForUndo(call: ResolvedCall): MaybePromise<void> {
  const { changes = [], own } = call.work;
  const undoesItself = own?.output !== undefined;
  if (call.request.isDryRun || (changes.length === 0 && !undoesItself)) return;
  return keep(call, undoesItself ? { own } : {});
}

async function keep(call: ResolvedCall, own: Pick<UndoRecord, "own">): Promise<void> {
  const { resolved, host, work } = call;
  const { changes = [] } = work;
  const diff = changes.length === 0 ? undefined : await host.kept.undo.diff(changes).catch(() => undefined);
  const shown = diff === undefined ? {} : { diff: cutMiddle(host.redactor.text(diff), cut).text };
  const name = await host.kept.undo.keep({ tool: resolved.entry.name, changes, ...own, ...shown });
  if (name !== undefined) call.noted.undo = name;
}

const cut = { maxCharacters: 20_000, headShare: 0.8 };
