import { isatty } from "node:tty";
import { type Command, UsageError } from "../command.ts";

export default {
  flags: ["model", "base-url", "effort", "continue", "resume", "fork", "tools", "max-steps"],
  isForPerson: true,
  example: "--model anthropic/claude-sonnet-4-5 --mode edit",
  note: `Without a command, \`toolwright\` does the same. --continue goes on with the latest conversation here, --resume with the one
it names; without a name it shows a list; with --fork, in a new session that begins with it. In the session, /help lists commands and keys. TOOLWRIGHT_MODEL sets the model
when --model does not; TOOLWRIGHT_PRICE=3/15/0.3 the dollars per million tokens of input, output and cached input.`,

  async run({ flags }) {
    if (!isatty(0) || !isatty(1))
      throw new UsageError('an interactive session needs a terminal; use toolwright run "<prompt>"');
    if (process.env.TERM === "dumb")
      throw new UsageError(
        'an interactive session needs a terminal that can move its cursor, and TERM is "dumb"; use toolwright run "<prompt>"',
      );
    const { startTalk } = await import("./start-talk.ts");
    return startTalk(flags);
  },
} satisfies Command;
