import type { Command, Verbs } from "../../command.ts";
import { exitCodes } from "../../exit-code.ts";
import { findVerb } from "../../find-verb.ts";
import { commandHelp, generalHelp } from "../../help.ts";

export default {
  usage: "[command]",
  minArguments: 0,
  maxArguments: 1,
  flags: [],
  example: "call",

  async run({ arguments: [name], output, verbs }) {
    await output.write(await (name === undefined ? generalHelp(verbs) : helpOn(name, verbs)));
    return exitCodes.done;
  },
} satisfies Command;

async function helpOn(name: string, verbs: Verbs): Promise<string> {
  const { purpose, load } = findVerb(name, verbs);
  return commandHelp(name, purpose, (await load()).default);
}
