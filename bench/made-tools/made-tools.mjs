import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRuntime } from "../../dist/index.js";
import { bar } from "../support/bar.mjs";
import { measureRounds } from "../support/measure-rounds.mjs";

const echo = {
  name: "echo_text",
  description: "Return the text.",
  input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  language: "javascript",
  code: "export default ({ text }) => text;",
  examples: [{ input: { text: "a" }, output: "a" }],
};

/** A call of a tool that an agent made, in a process that is there already, compared with one of a built-in tool. */
export default async function measureMadeTools({ size, leaveOut }) {
  const workspace = await mkdtemp(join(tmpdir(), "made-tools-"));
  const options = { workspace, store: "memory:", dialect: "canonical", onApproval: () => "allow" };
  const runtime = await openRuntime(options);
  try {
    const session = await runtime.openSession();
    const created = await session.call("tool_create", echo);
    if (created.error?.code === "unavailable") {
      leaveOut(created.error.message);
      return { tables: [], bars: [] };
    }
    if (created.status !== "done") throw new Error(created.text);
    const candidates = [
      { name: "made tool, warm", run: () => session.call(echo.name, { text: "a" }), operations: 1 },
      { name: "built-in tool", run: () => session.call("todo_read", {}), operations: 1 },
    ];
    const measured = await measureRounds(candidates, { size, rounds: 20, roundMs: 30, warmUpMs: 200 });
    const [made, builtIn] = candidates.map(({ name }) => measured.get(name).best);
    const rows = [...measured].map(([name, summary]) => ({ name, unit: "µs", ...summary }));
    const bars = [
      bar("what a made tool adds to a call", { value: (made - builtIn) / 1000, limit: 2, unit: "ms" }),
    ];
    return { tables: [{ title: "A call of a made tool", rows }], bars };
  } finally {
    await runtime.close();
    await rm(workspace, { recursive: true, force: true });
  }
}
