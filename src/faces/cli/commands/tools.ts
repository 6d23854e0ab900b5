import { checkFormatName, type FormatName } from "../../../formats/formats.ts";
import type { PresentedTool } from "../../../kernel/dialects/dialect-view.ts";
import type { RegisteredTool } from "../../../kernel/registry/registry.ts";
import type { Session } from "../../../kernel/runtime/session.ts";
import type { Runtime } from "../../../open-runtime.ts";
import { orMeant } from "../../../shared/text/did-you-mean.ts";
import { escapeControls, escapeLine } from "../../../shared/text/escape-controls.ts";
import { nearestNames } from "../../../shared/text/nearest-names.ts";
import type { Command } from "../command.ts";
import { describeTool, type ShownTool, traitMarks } from "../display/describe-tool.ts";
import { formatColumns } from "../display/format-columns.ts";
import { exitCodes } from "../exit-code.ts";
import { optionsFromFlags } from "../open/options-from-flags.ts";
import { waitForServers } from "../open/wait-for-servers.ts";
import { withSession } from "../open/with-session.ts";
import type { CommandOutput } from "../terminal/command-output.ts";
import { UsageError } from "../usage-error.ts";

export default {
  usage: '[<tool>] | --made [<tool> | revoke <tool> ["<reason>"] | export <tool>]',
  minArguments: 0,
  maxArguments: 3,
  flags: ["format", "made"],
  example: "file_read",
  note: `--made lists the tools that agents made: what is offered, what needs approval, and what was denied or revoked, and why. With
a name, it shows all of them. revoke takes an approval back; export prints an approved tool, to be put into another
project's .toolwright/tools, where it needs approval again.`,

  async run(invocation) {
    const { arguments: given, flags, output } = invocation;
    if (flags.made) return (await import("./made-tool-actions.ts")).manageMadeTools(invocation);
    const [name, ...others] = given;
    if (others.length > 0) throw new UsageError(`unexpected argument ${JSON.stringify(others[0])}`);
    const format = readFormat(flags.format, name);
    const options = { ...(await optionsFromFlags(flags)), mcpStart: "when-needed" as const };
    await withSession({ options, flags }, async (session, runtime) => {
      await waitForServers(runtime, { tool: name, output });
      await tellProblems(runtime, output);
      if (name !== undefined) {
        const shown = findTool(name, session, runtime);
        await output.write(flags.json ? toJson(shown) : await describeTool(shown, output));
      } else if (format !== undefined) await output.write(toJson(session.tools({ format })));
      else
        await output.write(flags.json ? toJson(session.tools()) : await formatList(session, runtime, output));
    });
    return exitCodes.done;
  },
} satisfies Command;

function readFormat(format: string | undefined, toolName: string | undefined): FormatName | undefined {
  if (format === undefined) return undefined;
  if (toolName !== undefined) throw new UsageError("--format prints all tools; leave out the tool name");
  try {
    checkFormatName(format);
    return format;
  } catch (error) {
    throw new UsageError(`--format: ${(error as Error).message}`, { cause: error });
  }
}

async function tellProblems(runtime: Runtime, output: CommandOutput): Promise<void> {
  for (const { source, subject, message, severity } of runtime.problems()) {
    const mark = severity === "warning" ? "warning" : "not offered";
    await output.tell(escapeControls(`${mark}: ${subject} (${source}): ${message}`));
  }
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

async function formatList(session: Session, runtime: Runtime, output: CommandOutput): Promise<string> {
  const rows = pairTools(session, runtime).map(({ presented, entry }) => [
    output.style("bold", presented.name),
    [...traitMarks(entry.tool), ...(presented.denied === undefined ? [] : ["denied"])].join(", "),
    entry.layer === "builtin" ? "" : escapeLine(entry.source),
    escapeLine(summarize(presented.description, output.isTerminal)),
  ]);
  return rows.length === 0 ? "" : `${await formatColumns(rows)}\n`;
}

/** The first line; on a terminal its first sentence, because `toolwright tools <name>` shows all of it. */
function summarize(description: string, isShort: boolean): string {
  const [line = ""] = description.split("\n");
  return isShort ? (/^.+?[.:](?= |$)/.exec(line)?.[0] ?? line) : line;
}

interface ToolPair {
  readonly presented: PresentedTool;
  readonly entry: RegisteredTool;
}

/** Relies on the session listing the registry's tools in the registry's order, each once. */
function pairTools(session: Session, runtime: Runtime): ToolPair[] {
  const entries = runtime.tools.list();
  return session.tools().map((presented, index) => ({ presented, entry: entries[index]! }));
}

function findTool(name: string, session: Session, runtime: Runtime): ShownTool {
  const pairs = pairTools(session, runtime);
  const canonical = runtime.tools.explain(name).providedBy?.tool;
  const found =
    pairs.find(({ presented }) => presented.name === name) ??
    pairs.find(({ entry }) => entry.name === canonical) ??
    pairs.find(({ presented }) => presented.metadata.aliases.includes(name));
  if (found === undefined) {
    const names = pairs.flatMap(({ presented, entry }) => [
      presented.name,
      entry.name,
      ...presented.metadata.aliases,
    ]);
    const rest = orMeant(nearestNames(name, new Set(names)), "`toolwright tools` lists them all");
    throw new UsageError(`there is no tool named ${JSON.stringify(name)}${rest}`);
  }
  const { presented, entry } = found;
  const { tool, source, layer } = entry;
  const shown = presented.name !== name && entry.name === name ? inOwnTerms(found) : presented;
  return {
    ...shown,
    offeredName: presented.name,
    canonicalName: entry.name,
    aliases: [...new Set([...presented.metadata.aliases, ...tool.aliases])],
    traits: tool.traits,
    safety: tool.safety,
    safetyLevel: tool.safetyLevel,
    providedBy: { source, layer },
    shadowed: runtime.tools.explain(entry.name).shadowed,
  };
}

/** A tool that was asked for by its canonical name takes its own parameters, not the dialect's. */
function inOwnTerms({ presented, entry: { name, tool } }: ToolPair): PresentedTool {
  const { inputSchema, outputSchema } = tool;
  const { outputSchema: _translated, ...others } = presented;
  return { ...others, name, inputSchema, ...(outputSchema && { outputSchema }) };
}
