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
  traits: { readOnly: true, idempotent: true, concurrencySafe: true },
  async run(_input, { workspace }) {
    await appendFile(join(workspace, "looks.txt"), "look\n");
    if (existsSync(join(workspace, "hang"))) await new Promise((resolve) => setTimeout(resolve, 2 ** 30));
    return "seen";
  },
});

/** For ever where there is a file of the name `hang`. */
const putDown = defineTool({
  name: "put_down",
  description: "Writes a file that is there, and notes how long it may take.",
  params: {},
  permission: () => ({ action: "write", target: "put.txt" }),
  traits: { idempotent: true, changesFilesOnly: true, concurrencySafe: true },
  async run(_input, { files, deadline, emit, workspace }) {
    await files.readText("put.txt");
    await files.writeText("put.txt", "put\n");
    emit("put", { seconds: Math.round((deadline - Date.now()) / 1000) });
    if (existsSync(join(workspace, "hang"))) await new Promise((resolve) => setTimeout(resolve, 2 ** 30));
    return "x".repeat(20_000);
  },
});

const stopSlowly = defineTool({
  name: "stop_slowly",
  description: "Times out at once, and takes its time to stop.",
  params: {},
  traits: { readOnly: true, idempotent: true, concurrencySafe: true, timeoutMs: 1, windUpMs: 2 ** 30 },
  run: () => new Promise<string>((resolve) => setTimeout(resolve, 2 ** 30, "late")),
});

export const sessionTools = [noteDown, hang, look, putDown, stopSlowly];
