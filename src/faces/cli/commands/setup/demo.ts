import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ScriptedStep, scriptedModel } from "../../../../capabilities/agents/index.ts";
import type { Session } from "../../../../kernel/runtime/index.ts";
import type { Runtime } from "../../../../open-runtime.ts";
import { countOf } from "../../../../shared/text/count-of.ts";
import { type Command, exitCodes } from "../../command.ts";
import { formatColumns } from "../../display/format-columns.ts";
import { warnOfRisks, withRuntime } from "../../open/with-runtime.ts";
import type { CommandOutput } from "../../terminal/command-output.ts";
import { workWithAgent } from "../work-with-agent.ts";

export default {
  note: `Takes two minutes, needs no key and no network, and leaves nothing behind: the model's words come from a script, in a
temporary folder. The tools, the verdicts, the files and the log are real.`,

  async run({ flags, output }) {
    const permissions = { mode: "edit", deny: ["Read(.env)"] } as const;
    const options = { store: "memory:", dialect: "canonical", permissions };
    return withDemoProject((workspace) =>
      withRuntime({ ...options, workspace }, async (runtime) => {
        await warnOfRisks(runtime, output);
        const session = await runtime.openSession();
        const { reason } = await workWithAgent("A test fails. Find out why, and fix it.", {
          ...{ flags, output, runtime, session },
          agentOptions: { model: scriptedModel(demoScript), onApproval: () => approveItself(output) },
          resumeCommand: undefined,
        });
        if (reason !== "done") return exitCodes.failed;
        if (!flags.json) await takeBack(session, runtime, output);
        return exitCodes.done;
      }),
    );
  },
} satisfies Command;

async function approveItself(output: CommandOutput) {
  await output.tell("(no person is at the terminal, so the demonstration approves this itself)");
  return { decision: "allow", by: "the demonstration" } as const;
}

/** Undoes the agent's changes, and checks the records of all calls. */
async function takeBack(session: Session, runtime: Runtime, output: CommandOutput): Promise<void> {
  const heading = (text: string) => output.tell(`\n${output.styleMessage("bold", text)}`);
  await heading("Every change can be undone:");
  const receipts = await runtime.receipts({ sessionId: session.id });
  for (const { callId, undo } of receipts) {
    if (undo === undefined) continue;
    const { text } = await session.undo(callId);
    await output.tell(text);
  }
  await heading("Every call is recorded, and the record is checked:");
  const rows = (await runtime.receipts({ sessionId: session.id }))
    .toReversed()
    .map(({ tool, status, verdict }) => [status, tool, verdict?.reason ?? ""]);
  await output.tell(await formatColumns(rows, { columns: output.messageColumns() }));
  const [report] = await runtime.verify(session.id);
  const isIntact = report !== undefined && report.broken === undefined;
  await output.tell(
    `${countOf(report?.receipts ?? 0, "receipt")}, ${isIntact ? "every one as it was written" : "and the chain is broken"}`,
  );
  await heading("Next:");
  const next = [
    ["toolwright init", "writes a configuration for your project"],
    ["toolwright serve", "lets Claude, Cursor or another MCP client use the tools"],
    ["toolwright run --help", "lets a model of your own use them"],
  ];
  await output.tell(await formatColumns(next, { columns: output.messageColumns() }));
}

/** A project with a bug, a test that shows it, and a file that must not be read. */
const files: Readonly<Record<string, string>> = {
  "total.mjs": `export function total(prices) {
  let sum = 0;
  for (let index = 1; index < prices.length; index++) sum += prices[index];
  return sum;
}
`,
  "total.test.mjs": `import assert from "node:assert";
import { total } from "./total.mjs";

assert.strictEqual(total([3, 4, 5]), 12);
console.log("the test passes");
`,
  ".env": "API_KEY=only-an-example\n",
};

async function withDemoProject<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const base = await realpath(await mkdtemp(join(tmpdir(), "toolwright-demo-")));
  try {
    const folder = join(base, "project");
    await mkdir(folder);
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
    return await work(folder);
  } finally {
    await rm(base, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The words and calls of the demonstration's model. The tools, the verdicts, the files and the log are real. */
const demoScript: readonly ScriptedStep[] = [
  { text: "I look at the test.", calls: [{ name: "file_read", input: { path: "total.test.mjs" } }] },
  { text: "And at the code.", calls: [{ name: "file_read", input: { path: "total.mjs" } }] },
  {
    text: "Perhaps there is something of use in .env.",
    calls: [{ name: "file_read", input: { path: ".env" } }],
  },
  {
    text: "A rule denies that, so I go on without it.\nI run the test, which needs your approval.",
    calls: [{ name: "shell_run", input: { command: "node total.test.mjs" } }],
  },
  {
    text: "The loop begins with the second price.\nI let it begin with the first.",
    calls: [
      {
        name: "file_edit",
        input: { path: "total.mjs", old_string: "let index = 1;", new_string: "let index = 0;" },
      },
    ],
  },
  {
    text: "I run the test again.",
    calls: [{ name: "shell_run", input: { command: "node total.test.mjs" } }],
  },
  { text: "That is all: the first price is counted now." },
];
