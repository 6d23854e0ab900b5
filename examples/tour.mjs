// A tour of Toolwright in a temporary folder: define a tool, call it, ask why a call would be refused,
// and look at the receipts. Run it with `npm run tour`.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineTool, openRuntime } from "toolwright";

const folder = await mkdtemp(join(tmpdir(), "toolwright-tour-"));
const workspace = join(folder, "project");
process.env.XDG_STATE_HOME = join(folder, "state");

try {
  await mkdir(workspace);
  await writeFile(join(workspace, "poem.txt"), "Roses are red,\nreceipts are chained.\n");
  await writeFile(join(workspace, ".env"), "TOKEN=not-for-tools\n");

  say("A tool is data and one function:");
  const countWords = defineTool({
    name: "count_words",
    description: "Count the words of a text.",
    params: { text: { type: "string", description: "The text to count in" } },
    traits: { readOnly: true },
    run: ({ text }) => `${text.trim().split(/\s+/).length} words`,
  });
  show(
    'defineTool({ name: "count_words", params: { text: { type: "string" } }, run: … })',
    countWords.description,
  );

  say("Every call takes the same path: checked, decided, limited, run, recorded.");
  const runtime = await openRuntime({ workspace, tools: [countWords] });
  const session = await runtime.openSession({ id: "tour" });
  const done = await session.call("count_words", { text: "one two three" });
  show('session.call("count_words", { text: "one two three" })', `${done.status}: ${done.text}`);
  const wrong = await session.call("count_words", { txt: "oops" });
  show('session.call("count_words", { txt: "oops" })', `${wrong.status}: ${wrong.text}`);
  await runtime.close();

  say("The same from the command line:");
  await toolwright("call", "file_list");
  await toolwright("call", "file_read", '{"path":"poem.txt"}');

  say("Why would a call not run? Find out without running it:");
  await toolwright("explain", "file_read", '{"path":"../elsewhere.txt"}');
  await toolwright("explain", "file_read", '{"path":".env"}');

  say("Every call leaves a receipt, chained so that no change goes unnoticed.");
  await toolwright("log");
  await toolwright("log", "--verify");
} finally {
  await rm(folder, { recursive: true, force: true });
}

function say(text) {
  console.log(`\n— ${text}`);
}

function show(line, output) {
  console.log(`\n  ${line}`);
  console.log(output.trimEnd().replace(/^/gm, "    "));
}

/** Runs the real command, as a person would. */
async function toolwright(...words) {
  const main = fileURLToPath(new URL("cli/main.js", import.meta.resolve("toolwright")));
  const line = words.map((word) => (/^[\w-]+$/.test(word) ? word : `'${word}'`)).join(" ");
  const output = await new Promise((resolve, reject) => {
    execFile(process.execPath, [main, ...words], { cwd: workspace }, (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    );
  });
  show(`$ toolwright ${line}`, output);
}
