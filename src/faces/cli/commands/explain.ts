import {
  type CommandVerdict,
  describeEffects,
  purposeOf,
  type Verdict,
} from "../../../kernel/policy/index.ts";
import { showLine } from "../../../shared/text/mark-rows.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { type Command, UsageError } from "../command.ts";
import { formatColumns, wholeRows } from "../display/format-columns.ts";
import { optionsFromFlags } from "../open/options-from-flags.ts";
import { waitForServers } from "../open/wait-for-servers.ts";
import { withSession } from "../open/with-session.ts";
import { readJsonArgument } from "../read-values.ts";
import type { CommandOutput } from "../terminal/command-output.ts";

export default {
  usage: "<tool> ['<json>' | -] | --batch <file.jsonl | ->",
  arguments: [0, 2],
  flags: ["batch"],
  example: `file_read '{"path":".env"}'`,

  async run({ arguments: [tool, argument], flags, output }) {
    const options = await optionsFromFlags(flags);
    const { batch } = flags;
    if (batch !== undefined) {
      if (tool !== undefined) throw new UsageError("use either a tool name or --batch, not both");
      const { explainBatch } = await import("./explain-batch.ts");
      return withSession(options, flags, (session) => explainBatch(batch, session, output));
    }
    if (tool === undefined)
      throw new UsageError("no tool given; usage: toolwright explain <tool> '<json>', or --batch <file>");
    const input = await readJsonArgument(argument);
    const oneTool = { ...options, mcpStart: "when-needed" } as const;
    const verdict = await withSession(oneTool, flags, async (session, runtime) => {
      await waitForServers(runtime, { tool, output });
      return session.explain(tool, input).catch(refuseWrongInput);
    });
    if (flags.json) await output.writeJson(verdict);
    else await output.write(`${await formatVerdict(verdict, output)}\n`);
  },
} satisfies Command;

function refuseWrongInput(error: unknown): never {
  if (!(error instanceof ToolError)) throw error;
  throw new UsageError([error.message, error.hint ?? []].flat().join("\n"), { cause: error });
}

async function formatVerdict(
  { decision, reason, decidedBy, ...verdict }: Verdict,
  { style }: CommandOutput,
): Promise<string> {
  const { permissionClass, category, effects, commands = [] } = verdict;
  const { rule } = verdict;
  const facts = wholeRows([
    ["reason", reason],
    ["decided by", decidedBy],
    ["written in", rule && `${rule.file}:${rule.line} (${rule.scope})`],
    ["class", `${permissionClass}${describeCategory(category)}`],
  ]).map((fact) => fact.map(showLine));
  const parts = [
    style(decisionColours[decision], decision),
    await formatColumns([...facts, ...describeEffects(effects)]),
  ];
  if (commands.length > 0) parts.push(formatCommands(commands, { style }));
  return parts.join("\n");
}

const decisionColours = { allow: "green", ask: "yellow", deny: "red" } as const;

/** Formats a script's commands as a tree: each with its verdict and reason, and the commands it substitutes below it. */
function formatCommands(
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

/** The purpose of a category of commands, in brackets; empty if it is unknown. */
function describeCategory(category: string | undefined): string {
  const purpose = purposeOf(category);
  return purpose === undefined ? "" : ` (${purpose})`;
}
