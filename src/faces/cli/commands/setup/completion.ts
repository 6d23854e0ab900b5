import type { Command } from "../../command.ts";
import { bashCompletion } from "../../completion/bash.ts";
import { type CompletedCommand, listCommands } from "../../completion/completed-command.ts";
import { fishCompletion } from "../../completion/fish.ts";
import { zshCompletion } from "../../completion/zsh.ts";
import { exitCodes } from "../../exit-code.ts";
import { UsageError } from "../../usage-error.ts";

const shells: ReadonlyMap<string, (commands: readonly CompletedCommand[]) => string> = new Map([
  ["bash", bashCompletion],
  ["zsh", zshCompletion],
  ["fish", fishCompletion],
]);

export default {
  usage: "bash|zsh|fish",
  minArguments: 1,
  maxArguments: 1,
  words: [...shells.keys()],
  flags: [],
  example: "bash",
  note: `To complete in every new shell, add the line to the shell's start file:
  ~/.bashrc                   eval "$(toolwright completion bash)"
  ~/.zshrc, after compinit    eval "$(toolwright completion zsh)"
  ~/.config/fish/config.fish  toolwright completion fish | source`,

  async run({ arguments: [shell = ""], output, verbs }) {
    const complete = shells.get(shell);
    if (complete === undefined)
      throw new UsageError(
        `there is no completion for ${JSON.stringify(shell)}; choose ${[...shells.keys()].join(", ")}`,
      );
    await output.write(complete(await listCommands(verbs)));
    return exitCodes.done;
  },
} satisfies Command;
