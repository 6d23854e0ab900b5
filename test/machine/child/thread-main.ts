import { isMainThread, threadId } from "node:worker_threads";
import { answerTasks } from "../../../src/machine/child/answer-parent.ts";
import { ToolError } from "../../../src/tool/tool-error.ts";

/** A thread that answers, refuses, fails or never ends, as it is told. */
answerTasks((task: { readonly do: string }) => {
  if (task.do === "refuse") throw new ToolError("conflict", "refused", { hint: "Do not." });
  if (task.do === "fail") throw new RangeError("too deep");
  if (task.do === "block") for (;;);
  if (task.do === "grow") for (const kept: unknown[] = []; ; ) kept.push(new Array(10_000).fill(kept.length));
  return { isMainThread, isOther: threadId > 0, variables: Object.keys(process.env) };
});
