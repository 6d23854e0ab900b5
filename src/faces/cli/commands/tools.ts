import { checkFormatName, type FormatName } from "../../../formats/index.ts";
import type { PresentedTool } from "../../../kernel/dialects/index.ts";
import type { RegisteredTool } from "../../../kernel/registry/index.ts";
import type { Session } from "../../../kernel/runtime/index.ts";
import type { Runtime } from "../../../open-runtime.ts";
import { isPlainObject } from "../../../shared/json.ts";
import type { JsonSchema } from "../../../shared/json-schema/json-schema.ts";
import { defined } from "../../../shared/options/defined.ts";
import { orMeant } from "../../../shared/text/did-you-mean.ts";
import { escapeControls, escapeLine } from "../../../shared/text/escape-controls.ts";
import { nearestNames } from "../../../shared/text/nearest-names.ts";
import type { AnyTool } from "../../../tool/define-tool.ts";
import { type Command, failUsage, UsageError } from "../command.ts";
import { formatColumns, wholeRows } from "../display/format-columns.ts";
import { optionsFromFlags } from "../open/options-from-flags.ts";
import { waitForServers } from "../open/wait-for-servers.ts";
import { withSession } from "../open/with-session.ts";
import type { CommandOutput } from "../terminal/command-output.ts";

export default {
  usage: '[<tool>] | --made [<tool> | revoke <tool> ["<reason>"] | export <tool>]',
  arguments: [0, 3],
  flags: ["format", "made"],
  example: "file_read",
  note: `--made lists the tools that agents made: those that are offered, that need approval, and that were denied or revoked, and
why. With a name, it shows each of them in full. revoke takes an approval back; export prints an approved tool, to be put into another
project's .toolwright/tools, where it needs approval again.`,

  async run(invocation) {
    const { arguments: given, flags, output } = invocation;
    if (flags.made) return (await import("./made-tool-actions.ts")).manageMadeTools(invocation);
    const [name, ...others] = given;
    if (others.length > 0) throw new UsageError(`unexpected argument ${JSON.stringify(others[0])}`);
    const format = readFormat(flags.format, name);
    const options = { ...(await optionsFromFlags(flags)), mcpStart: "when-needed" as const };
    await withSession(options, flags, async (session, runtime) => {
      await waitForServers(runtime, { tool: name, output });
      await tellProblems(runtime, output);
      if (name !== undefined) {
        const shown = findTool(name, session, runtime);
        if (flags.json) await output.writeJson(shown);
        else await output.write(await describeTool(shown, output));
      } else if (format !== undefined) await output.writeJson(session.tools({ format }));
      else if (flags.json) await output.writeJson(session.tools());
      else await output.write(await formatList(session, runtime, output));
    });
  },
} satisfies Command;

function readFormat(format: string | undefined, toolName: string | undefined): FormatName | undefined {
  if (format === undefined) return undefined;
  if (toolName !== undefined) throw new UsageError("--format prints all tools; leave out the tool name");
  try {
    checkFormatName(format);
    return format;
  } catch (cause) {
    return failUsage("--format", cause);
  }
}

async function tellProblems(runtime: Runtime, output: CommandOutput): Promise<void> {
  for (const { source, subject, message, severity } of runtime.problems()) {
    const mark = severity === "warning" ? "warning" : "not offered";
    await output.tell(escapeControls(`${mark}: ${subject} (${source}): ${message}`));
  }
}

async function formatList(session: Session, runtime: Runtime, output: CommandOutput): Promise<string> {
  const rows = pairTools(session, runtime).map(({ presented, entry }) => {
    const marks = traitMarks(entry.tool);
    if (presented.denied !== undefined) marks.push("denied");
    return [
      output.style("bold", presented.name),
      marks.join(", "),
      entry.layer === "builtin" ? "" : escapeLine(entry.source),
      escapeLine(summarize(presented.description, output.isTerminal)),
    ];
  });
  return rows.length === 0 ? "" : `${await formatColumns(rows)}\n`;
}

/** The first line of a description; on a terminal its first sentence, because `toolwright tools <name>` shows all. */
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

/** Finds everything that `toolwright tools <name>` shows. */
function findTool(name: string, session: Session, runtime: Runtime) {
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
    /** The tool's name in the session's dialect. */
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
  return { ...others, name, inputSchema, ...defined({ outputSchema }) };
}

type ShownTool = ReturnType<typeof findTool>;

/** Describes one tool in full, for a person. */
async function describeTool(tool: ShownTool, { style }: Pick<CommandOutput, "style">): Promise<string> {
  const { providedBy, shadowed, aliases } = tool;
  const unlessShown = (name: string) => (name === tool.name ? undefined : name);
  const facts = wholeRows([
    ["canonical name", unlessShown(tool.canonicalName)],
    ["offered as", unlessShown(tool.offeredName)],
    ["aliases", aliases.length > 0 ? aliases.join(", ") : undefined],
    ["traits", traitMarks(tool).join(", ")],
    ["not offered", tool.denied],
    ["safety level", `${tool.safetyLevel} (${safetyWords[tool.safety]})`],
    ["provided by", describeSource(providedBy)],
    ...shadowed.map((other) => [
      "replaces",
      other.tool === tool.name ? describeSource(other) : `${other.tool}, ${describeSource(other)}`,
    ]),
  ]);
  const text = [
    style("bold", tool.name),
    escapeControls(tool.description),
    "",
    ...(await describeParameters(tool.inputSchema)),
    "",
    escapeControls(await formatColumns(facts)),
    "",
  ];
  return text.join("\n");
}

function describeSource({ source, layer }: ShownTool["providedBy"]): string {
  return layer === "builtin" ? source : `${source} (${layer})`;
}

/** A tool's traits in a few words. */
function traitMarks({ traits }: Pick<AnyTool, "traits">): string[] {
  const { readOnly, destructive, openWorld, idempotent, concurrencySafe } = traits;
  const effect = destructive ? "destructive" : "modifies";
  return [
    readOnly ? "read-only" : effect,
    openWorld && "network",
    idempotent && !readOnly && "idempotent",
    concurrencySafe && "parallel",
  ].filter((mark) => mark !== false);
}

const safetyWords: Record<AnyTool["safety"], string> = {
  "changes-nothing": "changes nothing, so there is nothing to undo",
  none: "no preview, no undo",
  preview: "can be previewed, not undone",
  undo: "can be undone, not previewed",
  "preview-and-undo": "can be previewed and undone",
};

async function describeParameters({
  properties = {},
  required = [],
  ...schema
}: JsonSchema): Promise<string[]> {
  const rows = Object.entries(properties).map(([name, property]) => {
    const parameter = isPlainObject(property) ? (property as JsonSchema) : {};
    const need = required.includes(name) ? "required" : describeDefault(parameter);
    return [
      `  ${escapeLine(name)}`,
      escapeLine(describeType(parameter)),
      escapeLine(need),
      escapeLine(parameter.description ?? ""),
    ];
  });
  if (rows.length > 0) return ["Parameters:", await formatColumns(rows)];
  const isPlain = Object.keys(schema).every((keyword) => plainKeywords.has(keyword));
  return [isPlain ? "No parameters." : `Parameters: ${escapeLine(JSON.stringify(schema))}`];
}

const plainKeywords = new Set(["type", "additionalProperties", "$schema", "description"]);

function describeDefault(parameter: JsonSchema): string {
  return parameter.default === undefined ? "optional" : `default ${JSON.stringify(parameter.default)}`;
}

function describeType({ type, enum: members, items, minimum, maximum }: JsonSchema): string {
  if (members !== undefined) return members.map((member) => JSON.stringify(member)).join(" | ");
  const name = type === undefined ? "any" : [type].flat().join(" | ");
  if (name === "array" && isPlainObject(items)) return `array of ${describeType(items as JsonSchema)}`;
  const range = [
    minimum !== undefined && `at least ${minimum}`,
    maximum !== undefined && `at most ${maximum}`,
  ].filter((bound) => bound !== false);
  return range.length > 0 ? `${name} (${range.join(", ")})` : name;
}
