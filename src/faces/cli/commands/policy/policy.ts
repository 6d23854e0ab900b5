import { orMeant } from "../../../../shared/text/did-you-mean.ts";
import { nearestNames } from "../../../../shared/text/nearest-names.ts";
import type { Command, Invocation } from "../../command.ts";
import type { ExitCode } from "../../exit-code.ts";
import { UsageError } from "../../usage-error.ts";

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
    const load = actions.get(name);
    if (load === undefined) {
      const nearest = nearestNames(name, actions.keys());
      throw new UsageError(
        `unknown action ${JSON.stringify(name)}${orMeant(nearest, "see toolwright policy --help")}`,
      );
    }
    const action = await load();
    return action({ ...invocation, arguments: rest });
  },
} satisfies Command;
