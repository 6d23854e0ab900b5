import { runAfterHooks } from "./after-hooks.ts";
import { authorize } from "./authorize.ts";
import { runBeforeHooks } from "./before-hooks.ts";
import { beginCall } from "./begin-call.ts";
import type { CallEnvironment, CallRequest, CallResult, Slot } from "./call.ts";
import { execute } from "./execute.ts";
import { journalEnd, journalStart } from "./journal.ts";
import { settle } from "./outcome.ts";
import { resolveTool } from "./resolve-tool.ts";
import { shapeOutcome, toOutcome } from "./shape-outcome.ts";
import { validateInput } from "./validate-input.ts";

/** The one path of every call, whoever asks and wherever the tool comes from. Never rejects. */
export async function runCall(
  environment: CallEnvironment,
  request: CallRequest,
  slot?: Slot,
): Promise<CallResult> {
  const call = beginCall(environment, request, slot);
  const outcome = await settle(call, async () => {
    const resolved = resolveTool(call);
    await validateInput(resolved);
    const answers = await runBeforeHooks(resolved);
    await authorize(resolved, answers);
    environment.budget.chargeCall();
    await journalStart(resolved);
    const ran = await settle(call, async () =>
      toOutcome(resolved, answers.instead ?? (await execute(resolved))),
    );
    const shaped = await shapeOutcome(resolved, ran);
    return runAfterHooks(resolved, shaped);
  });
  return journalEnd(call, outcome);
}
