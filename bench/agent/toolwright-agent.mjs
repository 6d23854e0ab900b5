import { scriptedModel } from "../../dist/agent/index.js";
import { defineTool, openRuntime } from "../../dist/index.js";
import { echo, echoDescription, echoInput } from "../call/echo.mjs";

/** The whole loop, with every step and call in the log. */
export async function openToolwrightAgent({ workspace, store }) {
  let runs = 0;
  const tool = defineTool({
    name: "echo",
    description: echoDescription,
    params: { text: { type: "string" } },
    traits: { concurrencySafe: true, deferrable: false },
    run(input) {
      runs += 1;
      return echo(input);
    },
  });
  const runtime = await openRuntime({
    workspace,
    store,
    tools: [tool],
    permissions: { mode: "auto" },
    loops: neverStopped,
  });
  const calling = { calls: [{ name: "echo", input: echoInput }] };
  return {
    close: () => runtime.close(),
    async run(calls) {
      runs = 0;
      const model = scriptedModel((_request, step) => (step > calls ? { text: "done" } : calling));
      const agent = runtime.agent({ model, maxSteps: calls + 1 });
      const { reason, steps } = await agent.run("go");
      if (reason !== "done" || steps !== calls + 1) throw new Error(`the loop ended with ${reason}`);
      if (runs !== calls) throw new Error(`the tool was run ${runs} times instead of ${calls}`);
      const session = await agent.session();
      await session.close();
    },
  };
}

// The same call with the same result, over and over, is what is measured.
const neverStopped = { warnAt: 0, askAt: 0 };
