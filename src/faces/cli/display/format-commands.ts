import { purposeOf } from "../../../kernel/policy/describe-effects.ts";
import type { CommandVerdict } from "../../../kernel/policy/verdict.ts";
import { showLine } from "../../../shared/text/mark-rows.ts";
import type { CommandOutput } from "../terminal/command-output.ts";

export const decisionColours = { allow: "green", ask: "yellow", deny: "red" } as const;

/** A script's commands as a tree: each with its verdict and reason, and the commands it substitutes below it. */
export function formatCommands(
  commands: readonly CommandVerdict[],
  { style }: Pick<CommandOutput, "style">,
): string {
  const branch = (parent: number | undefined, indent: string): string[] => {
    const children = commands.flatMap((command, index) =>
      command.inside === parent ? [{ command, index }] : [],
    );
    return children.flatMap(({ command, index }, place) => {
      const isLast = place === children.length - 1;
      const { decision, text, category, reason } = command;
      const deeper = `${indent}${isLast ? "  " : "│ "}`;
      return [
        `${indent}${isLast ? "└" : "├"} ${style(decisionColours[decision], decision)} ${showLine(text)}${describeCategory(category)}`,
        `${deeper}${style("dim", showLine(reason))}`,
        ...branch(index, deeper),
      ];
    });
  };
  return branch(undefined, "").join("\n");
}

/** What a command is for, in brackets; nothing if that is unknown. */
export function describeCategory(category: string | undefined): string {
  const purpose = purposeOf(category);
  return purpose === undefined ? "" : ` (${purpose})`;
}
