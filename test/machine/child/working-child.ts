import { answerTasks } from "../../../src/machine/child/answer-parent.ts";

/** A child program that answers, blocks its thread, or dies, as it is told. */
answerTasks((task: { readonly do: string }) => {
  if (task.do === "die") process.kill(process.pid, "SIGSEGV");
  if (task.do === "block") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  return { pid: process.pid, environment: Object.keys(process.env) };
});
