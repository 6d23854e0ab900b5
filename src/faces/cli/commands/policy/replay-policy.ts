import { resolve } from "node:path";
import { type Receipt, turningCalls } from "../../../../kernel/events/index.ts";
import { type PolicyPlaces, policyPlaces } from "../../../../kernel/policy/index.ts";
import type { Session } from "../../../../kernel/runtime/index.ts";
import { defined } from "../../../../shared/options/defined.ts";
import { countOf } from "../../../../shared/text/count-of.ts";
import { escapeLine } from "../../../../shared/text/escape-controls.ts";
import { type ExitCode, exitCodes, type Invocation, UsageError } from "../../command.ts";
import { summarizeReceipt } from "../../display/describe-receipt.ts";
import { formatColumns } from "../../display/format-columns.ts";
import { optionsFromFlags } from "../../open/options-from-flags.ts";
import { withRuntimeAt } from "../../open/with-runtime.ts";
import { checkSession, withStore } from "../../open/with-store.ts";
import { readPositiveInteger } from "../../read-values.ts";
import { policyFilesFor, rootOf, withTrusted } from "./policy-files.ts";

/** Judges finished calls again by the present policy, and shows the other verdicts. No call runs. */
export async function replayPolicy({ arguments: named, flags, output }: Invocation): Promise<ExitCode> {
  if (named.length > 1) throw new UsageError("replay takes one file");
  const limit = readPositiveInteger("--limit", flags.limit ?? "1000");
  const options = await optionsFromFlags(flags);
  const root = await rootOf(options);
  const receipts = await withStore(flags, async (store) => {
    await checkSession(flags.session, store);
    return store.readReceipts(defined({ limit, sessionId: flags.session }));
  });
  const replay = (places: PolicyPlaces) =>
    withRuntimeAt(
      places,
      { ...options, workspace: root, store: "memory:", mcpStart: "when-needed" },
      async (runtime) => replayAll(receipts, await runtime.openSession()),
    );
  // The files are read first, so that a missing or broken one counts as wrong usage.
  await policyFilesFor(named, root);
  const [file] = named;
  const calls =
    file === undefined
      ? await replay(policyPlaces())
      : await withTrusted({ root, file: resolve(file) }, replay);
  const changed = calls.filter(({ before, after }) => before !== after);
  const skipped = receipts.length - calls.length;
  if (flags.json) await output.writeJson({ replayed: calls.length, skipped, changed });
  else {
    const rows = changed.map(({ callId, before, after, reason, ...call }) => [
      `${before} → ${after}`,
      summarizeReceipt(receipts.find((receipt) => receipt.callId === callId)!).tool,
      escapeLine(JSON.stringify(call.input)).slice(0, maxInput),
      escapeLine(reason),
    ]);
    if (rows.length > 0) await output.write(`${await formatColumns(rows)}\n`);
    const rest = skipped === 0 ? "" : `; ${countOf(skipped, "call")} could not be judged again`;
    await output.tell(
      `${changed.length} of ${countOf(calls.length, "call")} would be decided differently${rest}`,
    );
  }
  return changed.length > 0 ? exitCodes.failed : exitCodes.done;
}

const maxInput = 60;

async function replayAll(receipts: readonly Receipt[], session: Session) {
  const calls = [];
  for (const { callId, tool, input, verdict } of receipts) {
    if (verdict === undefined || turningCalls.includes(tool)) continue;
    // A tool that is gone, and an input that was cut in the receipt, cannot be judged.
    const now = await session.explain(tool, input).catch(() => undefined);
    if (now === undefined) continue;
    const { decision: after, reason } = now;
    calls.push({ callId, tool, input, before: decisionThen(verdict), after, reason });
  }
  return calls;
}

/** The policy's decision at that time: if a person decided, the policy's decision was to ask. */
function decisionThen({ decision, reason }: NonNullable<Receipt["verdict"]>) {
  return reason.includes("(asked because ") ? "ask" : decision;
}
