import { existsSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { defineTool } from "../../src/index.ts";

const noteDown = defineTool({
  name: "note_down",
  description: "Keeps a text in the session's variables, and tells of it.",
  params: { text: { type: "string", required: true } },
  run({ text }, { variables, taskVariables, emit, progress }) {
    progress({ step: 1 });
    emit("noted", { text });
    variables.set("text", text);
    taskVariables.set("text", text);
    return `noted ${text}`;
  },
});

const hang = defineTool({
  name: "hang",
  aliases: ["hang_on"],
  description: "Says that it runs, and never answers.",
  params: {},
  run: (_input, { progress }) => {
    progress("running");
    return new Promise<string>((resolve) => setTimeout(resolve, 2 ** 30, "late"));
  },
});

/** For ever where there is a file of the name `hang`. */
const look = defineTool({
  name: "look",
  description: "Looks at something, and notes that it did.",
  params: {},
  traits: { readOnly: true, idempotent: true },
  async run(_input, { workspace }) {
    await appendFile(join(workspace, "looks.txt"), "look\n");
    if (existsSync(join(workspace, "hang"))) await new Promise((resolve) => setTimeout(resolve, 2 ** 30));
    return "seen";
  },
});

export const sessionTools = [noteDown, hang, look];
