import type { Tool } from "@modelcontextprotocol/client";
import type { SourceProblem } from "../../../kernel/registry/index.ts";
import { createEventLoopYield } from "../../../shared/event-loop-yield.ts";
import { createStarMatcher } from "../../../shared/glob/name-pieces.ts";
import { describeThrown } from "../../../shared/text/describe-thrown.ts";
import type { AnyTool } from "../../../tool/define-tool.ts";
import type { Pin, Pins, PinVerdict } from "../approval/pins.ts";
import { isCatalogueTool } from "../catalogue/catalogue-tools.ts";
import { offeredName } from "../server-names.ts";
import type { McpServerOptions } from "../server-options.ts";
import { parseServerTool, refuseToolName, toolContent } from "./server-tool.ts";
import { describeDisabled, disabledTool, type ToolMaker } from "./tool-maker.ts";

export type ServerTools = ReturnType<typeof createServerTools>;

interface KnownTool {
  readonly tool: AnyTool;
  readonly isDisabled: boolean;
  readonly definition: Tool;
  /** The definition's hash. */
  readonly hash: string;
  readonly verdict: PinVerdict;
}

type Problem = Omit<SourceProblem, "source">;

/** The tools of one server, each compared with its approved definition. */
export function createServerTools(
  server: string,
  { include, exclude = [] }: Pick<McpServerOptions, "include" | "exclude">,
  use: { pins: Pins; makeTool: ToolMaker; maxRememberedCharacters?: number },
) {
  const { pins, makeTool, maxRememberedCharacters = defaultMaxRememberedCharacters } = use;
  const included = (include ?? ["*"]).map(createStarMatcher);
  const excluded = exclude.map(createStarMatcher);
  const isWanted = (name: string) =>
    included.some((isAlike) => isAlike(name)) && !excluded.some((isAlike) => isAlike(name));
  let known: ReadonlyMap<string, KnownTool> = new Map();
  let problems: readonly Problem[] = [];
  let last: readonly Tool[] = [];

  const take = (definition: Tool): KnownTool => {
    const { name } = definition;
    const seen = toolContent(definition);
    const verdict = pins.judge({ server, tool: name }, seen, { trustsFirst: true });
    const earlier = known.get(name);
    // Unchanged tools are not compiled again; some servers list thousands.
    const isSame = earlier?.hash === seen.hash && earlier.verdict === verdict;
    if (isSame && isCatalogueTool(earlier.definition) === isCatalogueTool(definition)) return earlier;
    const isDisabled = verdict !== "approved";
    const tool = isDisabled
      ? disabledTool(server, name, verdict)
      : makeTool(offeredName(server, name), parseServerTool(definition), definition);
    return { tool, definition, isDisabled, hash: seen.hash, verdict };
  };

  /** Takes the server's current list, followed by our tools for its resources and prompts. */
  const update = async (listed: readonly Tool[]) => {
    const next = new Map<string, KnownTool>();
    const found: Problem[] = [];
    const yieldToEventLoop = createEventLoopYield();
    let remembered = countRemembered(pins, server);
    for (const definition of listed) {
      const { name } = definition;
      await yieldToEventLoop(performance.now());
      const refusal = refuseToolName(name) ?? (next.has(name) ? whyTwice(definition) : undefined);
      if (refusal !== undefined)
        found.push({ subject: JSON.stringify(name.slice(0, 100)), message: refusal });
      else if (isWanted(name)) {
        try {
          const isNew = pins.get({ server, tool: name }) === undefined;
          if (isNew && remembered > maxRememberedCharacters) throw new Error(tooMuch);
          const taken = take(definition);
          if (isNew) remembered += lengthOf(pins.get({ server, tool: name }));
          next.set(name, taken);
          if (taken.isDisabled) found.push(disabledProblem(server, name, taken.verdict));
        } catch (error) {
          found.push({ subject: name, message: `cannot be offered: ${messageOf(error)}` });
        }
      }
    }
    last = listed;
    known = next;
    problems = found;
    await pins.save();
  };

  return {
    update,
    /** Compares again after an approval or denial. */
    judgeAgain: () => update(last),
    list: (): readonly KnownTool[] => [...known.values()],
    /** The name of the tool made from this very definition, unless it is disabled. */
    nameOf(definition: Tool): string | undefined {
      const found = known.get(definition.name);
      return found?.definition === definition && !found.isDisabled ? found.tool.name : undefined;
    },
    problems: () => problems,
  };
}

// A server that keeps inventing tools would fill the disk, and forgotten tools could come back changed.
const defaultMaxRememberedCharacters = 50 * 1024 * 1024;
const tooMuch = "the server has listed too many different tools";

/** The server's own tool keeps its name. */
function whyTwice(definition: Tool): string {
  if (!isCatalogueTool(definition)) return "it is listed twice";
  return "the server has a tool of this name itself, so its resources or prompts cannot be passed on";
}

function countRemembered(pins: Pins, server: string): number {
  const own = pins.list().filter((pin) => pin.server === server);
  return own.reduce((sum, pin) => sum + lengthOf(pin), 0);
}

function lengthOf({ approved, pending }: Pick<Pin, "approved" | "pending"> = {}): number {
  return (approved?.text.length ?? 0) + (pending?.text.length ?? 0);
}

function disabledProblem(server: string, tool: string, verdict: PinVerdict): Problem {
  const { why, id } = describeDisabled({ server, tool }, verdict);
  const message = `disabled: ${why}. Review it with \`toolwright approvals\`, allow it with \`toolwright approve ${id}\`.`;
  return { subject: tool, message, severity: "warning" };
}

function messageOf(error: unknown): string {
  return error instanceof RangeError ? "it is nested too deeply" : describeThrown(error);
}
