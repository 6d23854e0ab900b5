import type { MaybePromise } from "../../../shared/maybe-promise.ts";
import { cutMiddle } from "../../../shared/text/cut-middle.ts";
import { type ResolvedCall, toolOf } from "../call.ts";

/**
 * Keeps the call's file changes with a diff for people, even if it failed, and for a tool with its own `undo` its input and
 * output.
 */
export function keepForUndo(call: ResolvedCall): MaybePromise<void> {
  const { changes = [], output, request } = call;
  const undoesItself = toolOf(call).undo !== undefined && output !== undefined;
  if (request.isDryRun || (changes.length === 0 && !undoesItself)) return;
  return keep(call, undoesItself ? { own: { input: call.undoInput, output } } : {});
}

async function keep(call: ResolvedCall, own: { own?: { input: unknown; output: unknown } }): Promise<void> {
  const { changes = [], resolved, host } = call;
  const diff = changes.length === 0 ? undefined : await host.undo.diff(changes).catch(() => undefined);
  const shown = diff === undefined ? {} : { diff: cutMiddle(host.redactor.text(diff), cut).text };
  const name = await host.undo.keep({ tool: resolved.entry.name, changes, ...own, ...shown });
  if (name !== undefined) call.undoName = name;
}

const cut = { maxCharacters: 20_000, headShare: 0.8 };
