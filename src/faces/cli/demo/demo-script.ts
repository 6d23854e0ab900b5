import type { ScriptedStep } from "../../../capabilities/agents/models/scripted-model.ts";

/** What the demonstration's model says and calls. Everything else is real: the tools, the verdicts, the files, the log. */
export const demoScript: readonly ScriptedStep[] = [
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
