import { defineTool } from "../../src/index.ts";

/** Says back what it is given; touches nothing. */
export const echo = defineTool({
  name: "echo",
  description: "Says back what it is given.",
  params: {
    text: { type: "string", minLength: 1 },
    times: { type: "integer", minimum: 1, maximum: 5, default: 1 },
  },
  aliases: ["repeat_back"],
  traits: { readOnly: true, concurrencySafe: true },
  run: ({ text, times }) => text.repeat(times),
});

/** Says nothing of what it touches, so it may do anything. */
export const act = defineTool({
  name: "act",
  description: "Does something unknown.",
  params: {},
  run: () => "acted",
});

/** Claims to write the given path; writes nothing. */
export const claimWrite = defineTool({
  name: "claim_write",
  description: "Claims to write.",
  params: { path: { type: "string" } },
  permission: ({ path }) => ({ action: "write", target: path }),
  run: () => "written",
});

/** Tells that it has begun, and nothing more. */
export const hang = defineTool({
  name: "hang",
  description: "Never answers, and looks at no signal.",
  params: {},
  run: (_input, { progress }) => {
    progress("hanging");
    return new Promise<string>(() => {});
  },
});
