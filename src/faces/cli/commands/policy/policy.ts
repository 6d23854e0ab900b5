import { type Command, type ExitCode, findNamed, type Invocation } from "../../command.ts";

type Action = (invocation: Invocation) => Promise<ExitCode>;

const actions: ReadonlyMap<string, () => Promise<Action>> = new Map([
  ["lint", async () => (await import("./lint-policy.ts")).lintPolicy],
  ["test", async () => (await import("./test-policy.ts")).testPolicy],
  ["replay", async () => (await import("./replay-policy.ts")).replayPolicy],
  ["import", async () => (await import("./import-policy.ts")).importPolicy],
]);

export default {
  usage: "lint | test | replay | import [<file>…]",
  arguments: [1, 20],
  words: [...actions.keys()],
  flags: ["limit", "dry-run", "force"],
  example: "lint",
  note: [
    "lint    finds rules that cannot be used, never decide anything, or allow more than they seem to",
    "test    tries the examples and tests in the policy files",
    "replay  shows which finished calls the policy, or <file> in place of the project's, would decide differently",
    "import  makes a policy of Claude Code's settings files; --dry-run prints it, --force replaces one that exists",
    "",
    "lint and test take the policy files in effect, or each <file>. Exit code 1 means that something was found.",
  ].join("\n"),

  async run(invocation) {
    const [name = "", ...rest] = invocation.arguments;
    const load = findNamed(name, actions, { kind: "action", otherwise: "see toolwright policy --help" });
    const action = await load();
    return action({ ...invocation, arguments: rest });
  },
} satisfies Command;
