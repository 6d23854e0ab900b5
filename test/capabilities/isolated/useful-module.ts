import { type AnyTool, defineTool, ToolError } from "../../../src/tool/index.ts";

let calls = 0;

/** Uses everything that a context has. */
const useful = defineTool({
  name: "useful",
  description: "Use the context.",
  params: { path: { type: "string" } },
  traits: { changesFilesOnly: true, isolated: import.meta.url },
  permission: ({ path }) => ({ action: "write", target: path }),
  async run({ path }, context) {
    const { files, search, variables, progress, emit, logger } = context;
    calls += 1;
    progress({ done: 1 });
    emit("useful", { path });
    logger.info("working", { calls });
    variables.set("count", Number(variables.get("count") ?? 0) + 1);
    await files.writeText(path, "one\n");
    await files.updateText(path, ({ text }) => text.replace("one", "two"));
    await files.writeBytes(`${path}.bin`, new Uint8Array([1, 2, 3]), { overwrite: true });
    const found = await search.glob({ pattern: "*", path: ".", maxFiles: 10 });
    context.markTruncated();
    return {
      pid: process.pid,
      calls,
      files: found.files.map((file) => file.path).sort(),
      count: variables.get("count"),
      isLater: context.deadline > Date.now(),
      callId: context.callId,
    };
  },
  toText: ({ files }, wording) => `${files.join(" ")} by ${wording.tool("file_read")}`,
});

const refused = defineTool({
  name: "refused",
  description: "Ask for what it cannot have.",
  params: { what: { type: "string" } },
  traits: { readOnly: true, isolated: import.meta.url },
  async run({ what }, { files, wording, ask }): Promise<unknown> {
    if (what === "path") return files.readText("../outside.txt");
    if (what === "denied") return files.readText("secret.txt");
    if (what === "wording") return wording.tool("file_read");
    if (what === "method") return Reflect.get(files, "explode")();
    if (what === "pieces") return files.writeBytes("a.bin", (async function* () {})());
    if (what === "answer") return ask("Which?");
    throw new ToolError("conflict", "its own error", { hint: "Its own hint.", partial: "so far" });
  },
});

const stopping = defineTool({
  name: "stopping",
  description: "Stop in its own time.",
  params: {},
  traits: { readOnly: true, windUpMs: 5000, isolated: import.meta.url },
  run: (_input, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () =>
        reject(new ToolError("timed-out", "stopped by itself", { partial: "what it had" })),
      );
    }),
});

const reporting = defineTool({
  name: "reporting",
  description: "Report without a pause.",
  params: { times: { type: "integer" } },
  traits: { readOnly: true, isolated: import.meta.url },
  run({ times }, { emit, progress }) {
    for (let count = 1; count <= times; count++) {
      emit("counted", { count });
      progress({ count });
    }
    return "reported";
  },
});

const undoable = defineTool({
  name: "undoable",
  description: "Undo by its own means.",
  params: {},
  traits: { isolated: import.meta.url },
  run: () => ({ pid: process.pid }),
  dryRun: () => `would run in ${process.pid}`,
  undo: ({ output }, { emit }) => emit("undone", { ran: output.pid, undone: process.pid }),
});

const tools: readonly AnyTool[] = [useful, refused, stopping, reporting, undoable];
export default tools;
