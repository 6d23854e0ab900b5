import { type Command, runAction } from "../../command.ts";

const actions = new Map<string, Command["run"]>([
  ["lint", async (invocation) => (await import("./lint-policy.ts")).lintPolicy(invocation)],
  ["test", async (invocation) => (await import("./test-policy.ts")).testPolicy(invocation)],
  ["replay", async (invocation) => (await import("./replay-policy.ts")).replayPolicy(invocation)],
  ["import", async (invocation) => (await import("./import-policy.ts")).importPolicy(invocation)],
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

  run: (invocation) => runAction("policy", actions, invocation),
} satisfies Command;
