import { once } from "node:events";
import { defineTool } from "../../../src/index.ts";

/** Tools that show one thing each that a server has to carry over. */
export function createSampleTools() {
  const started = new Set<() => void>();
  let takeStep = () => {};
  let running = 0;
  const tools = [
    defineTool({
      name: "echo",
      description: "Say it again",
      params: { text: { type: "string" } },
      output: { type: "object", properties: { said: { type: "string" } }, required: ["said"] },
      traits: { readOnly: true, idempotent: true },
      run: ({ text }) => ({ said: text }),
      toText: ({ said }) => said,
    }),
    defineTool({
      name: "picture",
      description: "A picture with words",
      params: {},
      traits: { readOnly: true },
      run: () => ({
        content: [
          { type: "text", text: "look" },
          { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" },
        ],
      }),
    }),
    defineTool({
      name: "break",
      description: "Always fails",
      params: {},
      traits: { readOnly: true },
      run: () => {
        throw new Error("it broke");
      },
    }),
    defineTool({
      name: "long",
      description: "More than anybody wants to read",
      params: {},
      traits: { readOnly: true },
      maxOutputCharacters: 1000,
      run: () => `${"word ".repeat(1000)}END`,
    }),
    defineTool({
      name: "steps",
      description: "Tells how far it is, and goes on when it is told to",
      params: {},
      traits: { readOnly: true },
      async run(_input, { progress }) {
        for (const progressed of [1, 2, 3]) {
          const allowed = new Promise<void>((resolve) => {
            takeStep = resolve;
          });
          progress({ progress: progressed, total: 3, message: `step ${progressed}` });
          if (progressed < 3) await allowed;
        }
        return "arrived";
      },
    }),
    defineTool({
      name: "hang",
      description: "Works until it is stopped",
      params: {},
      traits: { readOnly: true },
      async run(_input, { signal }) {
        running++;
        for (const tell of started) tell();
        if (!signal.aborted) await once(signal, "abort");
        running--;
        return "stopped";
      },
    }),
    defineTool({
      name: "ask_colour",
      description: "Asks two questions",
      params: {},
      traits: { readOnly: true },
      async run(_input, { ask }) {
        const name = await ask({ text: "What is your name?", name: "name" });
        const colour = await ask({ text: "Which colour?", name: "colour", choices: ["red", "blue"] });
        return `${name} likes ${colour}`;
      },
    }),
  ];
  return {
    tools,
    get running() {
      return running;
    },
    /** Lets `steps` go on from where it has told to be. */
    takeStep: () => takeStep(),
    /** Resolves the next time that `hang` begins. */
    hangStarts: () =>
      new Promise<void>((resolve) => {
        const tell = () => {
          started.delete(tell);
          resolve();
        };
        started.add(tell);
      }),
  };
}
