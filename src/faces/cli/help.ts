import { type Command, findVerb, type Verbs } from "./command.ts";
import { formatColumns, wrapText } from "./display/format-columns.ts";
import { type Flag, type FlagName, flags, sharedFlags } from "./flags.ts";

/** `toolwright help`. */
export default {
  usage: "[command]",
  arguments: [0, 1],
  example: "call",

  async run({ arguments: [name], output, verbs }) {
    await output.write(await (name === undefined ? generalHelp(verbs) : helpOn(name, verbs)));
  },
} satisfies Command;

async function helpOn(name: string, verbs: Verbs): Promise<string> {
  const { purpose, load } = findVerb(name, verbs);
  return commandHelp(name, purpose, (await load()).default);
}

/** The text of `toolwright --help`. */
export async function generalHelp(verbs: Verbs): Promise<string> {
  const rows = [...verbs].map(([name, { purpose }]) => [`  ${name}`, purpose]);
  return wrapText(
    [
      "Toolwright: every tool call checked, decided, limited, run and recorded.",
      "",
      "Usage: toolwright <command> [arguments] [flags], or toolwright alone to talk to an agent",
      "",
      "Commands:",
      await formatColumns(rows),
      "",
      "Flags of every command:",
      await describeFlags([...sharedFlags, "version"]),
      "",
      "Exit codes: 0 done, 1 failed, 2 wrong usage or input, 3 denied or needs approval, 4 timed out.",
      "",
      "For more, run `toolwright <command> --help`.",
      "",
    ].join("\n"),
  );
}

/** The text of `toolwright <verb> --help`. */
export async function commandHelp(verb: string, purpose: string, command: Command): Promise<string> {
  const { usage = "", flags: own = [], note, example = "" } = command;
  const lines = [`${purpose}.`, "", `Usage: toolwright ${verb} ${usage}`.trimEnd()];
  if (own.length > 0) lines.push("", "Flags:", await describeFlags(own));
  lines.push("", "Flags of every command:", await describeFlags(sharedFlags));
  if (note !== undefined) lines.push("", note);
  lines.push("", "Example:", `  toolwright ${verb} ${example}`.trimEnd(), "");
  return wrapText(lines.join("\n"));
}

function describeFlags(names: readonly FlagName[]): Promise<string> {
  return formatColumns(
    names.map((name) => {
      const { value, about }: Flag = flags[name];
      return [`  --${name}${value === undefined ? "" : ` ${value}`}`, about];
    }),
  );
}
