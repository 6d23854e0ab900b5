import { knownKeys, value } from "../../../shared/options/known-keys.ts";
import type { Verdict } from "../../policy/verdict.ts";
import type { ResolvedCall } from "../call.ts";
import { checkDecision, runHook } from "./before-hooks.ts";
import { HookView } from "./hook-view.ts";
import type { PermissionAnswer } from "./hooks.ts";

/** What hooks answer in a person's place: a denial by any of them, or else the first approval. One that fails denies. */
export async function runPermissionHooks(
  call: ResolvedCall,
  verdict: Verdict,
): Promise<Pick<Verdict, "decision" | "reason" | "decidedBy"> | undefined> {
  let approval: Pick<Verdict, "decision" | "reason" | "decidedBy"> | undefined;
  for (const [index, hook] of call.host.hooks.permission.entries()) {
    const decidedBy = `hook permission[${index}]`;
    const answer = await runHook(call, decidedBy, (deadline) =>
      hook(new HookView(call, { deadline }), verdict),
    );
    if (!answer) continue;
    checkDecision(call, answer, { name: decidedBy, keys: answerKeys });
    const { decision } = answer;
    const given = answer.reason.trim() === "" ? `${decidedBy} gave no reason` : answer.reason;
    const found = { decision, reason: `${given} (asked because ${verdict.reason})`, decidedBy };
    if (decision === "deny") return found;
    approval ??= found;
  }
  return approval;
}

const answerShape = knownKeys<PermissionAnswer>({ decision: value, reason: value });
const answerKeys = { allow: answerShape, deny: answerShape };
