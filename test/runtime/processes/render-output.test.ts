import { expect, test } from "vitest";
import { renderOutput } from "../../../src/runtime/processes/render-output.ts";

test.each([
  [{ stdout: "", stderr: "" }, ""],
  [{ stdout: "out\n", stderr: "" }, "out\n"],
  [{ stdout: "", stderr: "one\ntwo\n" }, "[stderr] one\n[stderr] two"],
  [{ stdout: "out\n", stderr: "err" }, "out\n[stderr] err"],
  [{ stdout: "out", stderr: "err\n" }, "out\n[stderr] err"],
  [{ stdout: "out\n", stderr: "a\n\nb\n" }, "out\n[stderr] a\n[stderr] \n[stderr] b"],
])("%j reads %j", (streams, text) => {
  expect(renderOutput(streams)).toBe(text);
});
