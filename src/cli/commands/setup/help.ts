import type { Command } from "../../command.ts";
import { exitCodes } from "../../exit-code.ts";
import { findVerb } from "../../find-verb.ts";
import { commandHelp, generalHelp } from "../../help.ts";

export default {
  usage: "[command]",
  minArguments: 0,
  maxArguments: 1,
  flags: [],
  example: "call",

  async run({ arguments: [name], output }) {
    await output.write(await (name === undefined ? generalHelp() : helpOn(name)));
    return exitCodes.done;
  },
} satisfies Command;

async function helpOn(name: string): Promise<string> {
  const { purpose, load } = findVerb(name);
  return commandHelp(name, purpose, (await load()).default);
}
