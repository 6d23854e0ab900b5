import type { Command, Verbs } from "./command.ts";
import { formatColumns, wrapText } from "./display/format-columns.ts";
import { type Flag, type FlagName, flags, sharedFlags } from "./flags.ts";

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
  return wrapText(
    [
      `${purpose}.`,
      "",
      `Usage: toolwright ${verb} ${command.usage}`.trimEnd(),
      ...(command.flags.length > 0 ? ["", "Flags:", await describeFlags(command.flags)] : []),
      "",
      "Flags of every command:",
      await describeFlags(sharedFlags),
      ...(command.note === undefined ? [] : ["", command.note]),
      "",
      "Example:",
      `  toolwright ${verb} ${command.example}`.trimEnd(),
      "",
    ].join("\n"),
  );
}

function describeFlags(names: readonly FlagName[]): Promise<string> {
  return formatColumns(
    names.map((name) => {
      const { value, about }: Flag = flags[name];
      return [`  --${name}${value === undefined ? "" : ` ${value}`}`, about];
    }),
  );
}
