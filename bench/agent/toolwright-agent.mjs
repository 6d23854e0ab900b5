import { scriptedModel } from "../../dist/agent/index.js";
import { defineTool, openRuntime } from "../../dist/index.js";
import { echo, echoDescription, echoInput } from "../call/echo.mjs";

/** The whole loop, with every step and call in the log. */
export async function openToolwrightAgent({ workspace, store }) {
  const tool = defineTool({
    name: "echo",
    description: echoDescription,
    params: { text: { type: "string" } },
    traits: { concurrencySafe: true, deferrable: false },
    run: echo,
  });
  const runtime = await openRuntime({ workspace, store, tools: [tool], permissions: { mode: "auto" } });
  const calling = { calls: [{ name: "echo", input: echoInput }] };
  return {
    close: () => runtime.close(),
    async run(calls) {
      const model = scriptedModel((_request, step) => (step > calls ? { text: "done" } : calling));
      const agent = runtime.agent({ model, maxSteps: calls + 1 });
      const { reason, steps } = await agent.run("go");
      if (reason !== "done" || steps !== calls + 1) throw new Error(`the loop ended with ${reason}`);
      const session = await agent.session();
      await session.close();
    },
  };
}
