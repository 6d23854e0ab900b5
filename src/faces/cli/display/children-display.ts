import type { LoggedEventOf } from "../../../kernel/events/index.ts";
import { countOf } from "../../../shared/text/count-of.ts";
import { escapeLine } from "../../../shared/text/escape-controls.ts";
import type { AgentEndReason, BranchWork } from "../../../tool/services/agents.ts";
import type { CommandOutput } from "../terminal/command-output.ts";
import { columnsOf, cutToColumns } from "./cut-to-columns.ts";
import { describeCallInLine, shortenLine } from "./describe-call.ts";
import { formatDuration } from "./format-time.ts";
import { handleByType } from "./handle-by-type.ts";
import { createModelCalls, describeRetry, type ModelCalls } from "./model-calls.ts";

export type ChildrenDisplay = ReturnType<typeof createChildrenDisplay>;
export type ChildEvent = LoggedEventOf<"subagent-start" | "subagent-event" | "subagent-end">;

/** A sub-agent that is still running. */
interface Child {
  readonly label: string;
  /** The beginning of each of its lines, and of its last one. */
  readonly prefix: string;
  readonly endPrefix: string;
  /** Its parent's workspace, or its own worktree. */
  workspace: string;
  readonly calls: ModelCalls;
}

/** Shows sub-agents to a person: a tree below the call that spawned them, with a line for each of their calls. */
export function createChildrenDisplay(
  { styleMessage: style, messageColumns }: Pick<CommandOutput, "styleMessage" | "messageColumns">,
  workspace: string,
) {
  const children = new Map<string, Child>();
  const parentCalls = new Set<string>();
  let activity: string | undefined;
  const dim = (text: string) => (text === "" ? "" : style("dim", text));

  /** Lines of background agents appear between others, so each of them starts with the agent's label. */
  const addChild = (id: string, title: string, { isBackground, below }: Position): Child => {
    const short = cutToColumns(escapeLine(title), Math.min(maxLabel, (messageColumns() ?? wideColumns) / 3));
    const isTaken = [...children.values()].some(({ label }) => label === short);
    const label = isTaken ? id : short;
    const whose = isBackground ? `${label}: ` : "";
    const child = {
      label,
      prefix: `${below}│ ${whose}`,
      endPrefix: `${below}└ ${whose}`,
      workspace,
      calls: createModelCalls(),
    };
    children.set(id, child);
    return child;
  };

  const onStart = (event: LoggedEventOf<"subagent-start">, below: string): string[] => {
    const { subagentId, callId, title, mode, kind } = event;
    parentCalls.add(callId);
    const isBackground = mode === "background";
    addChild(subagentId, title, { isBackground, below });
    const facts = [kind && escapeLine(kind), mode !== "sync" && mode].filter(Boolean);
    const about = facts.length === 0 ? "" : ` (${facts.join(", ")})`;
    const room = roomFor(messageColumns(), `${below}▸ ${subagentId} ${about}`);
    const shownTitle = cutToColumns(shortenLine(title, maxTitle), room);
    return [`${dim(below)}▸ ${style("bold", subagentId)} ${shownTitle}${dim(about)}`];
  };

  const line = (child: Child, text: string) => [`${dim(child.prefix)}${text}`];
  const showBelow = (event: ChildEvent, child: Child) => show(event, child.prefix);
  const onInner = handleByType<[Child], readonly string[] | undefined>({
    "session-open"(event, child) {
      child.workspace = event.workspace;
    },
    "assistant-message"(event, child) {
      child.calls.note(event);
    },
    "call-start"(event, child) {
      activity = child.calls.start(event, child.workspace) ?? activity;
    },
    "call-end"(event, child) {
      if (!child.calls.end(event.callId) || parentCalls.delete(event.callId)) return undefined;
      const maxColumns = roomFor(messageColumns(), child.prefix);
      return line(child, describeCallInLine(event, { style, workspace: child.workspace, maxColumns }));
    },
    "model-retry"(event, child) {
      const room = roomFor(messageColumns(), child.prefix);
      return line(child, style("yellow", cutToColumns(shortenLine(describeRetry(event), maxTrouble), room)));
    },
    "subagent-start": showBelow,
    "subagent-event": showBelow,
    "subagent-end": showBelow,
  });

  const show = (event: ChildEvent, below: string): readonly string[] => {
    if (event.type === "subagent-start") return onStart(event, below);
    const { subagentId } = event;
    // Its start is unknown if we began to watch after it.
    const known = children.get(subagentId);
    const child = known ?? addChild(subagentId, subagentId, { isBackground: true, below });
    if (event.type === "subagent-event") return onInner(event.event, child) ?? [];
    children.delete(subagentId);
    return describeChildEnd(event, style).map(
      (text, index) => `${dim(index === 0 ? child.endPrefix : `${below}  `)}${text}`,
    );
  };

  return {
    /** The lines to print for this event; usually none. */
    show: (event: ChildEvent) => show(event, ""),
    /** True, once, for a call that spawned an agent: the agent's lines replace the line of the call. */
    takeParentCall: (callId: string) => parentCalls.delete(callId),
    get atWork() {
      return children.size;
    },
    /** Forgets all sub-agents, because none is at work any more. */
    clear() {
      children.clear();
      parentCalls.clear();
    },
    /** The present call of the most recently active sub-agent. */
    activity() {
      const running = [...children.values()].flatMap(({ calls }) => [...calls.running.values()]);
      return activity !== undefined && running.includes(activity) ? activity : running.at(-1);
    },
  };
}

interface Position {
  readonly isBackground: boolean;
  /** The prefix of its parent's lines. */
  readonly below: string;
}

const maxLabel = 20;
const wideColumns = 80;
const maxTitle = 80;
const maxTrouble = 200;
const minRoom = 10;

/** The number of columns that are left on the line; unlimited if the width is unknown. */
function roomFor(columns: number | undefined, besides: string): number {
  if (columns === undefined) return Number.POSITIVE_INFINITY;
  return Math.max(minRoom, columns - columnsOf(besides));
}

/** Describes how a sub-agent ended, with its steps, calls and tokens; if it had a worktree, its branch on a second line. */
function describeChildEnd(
  { reason, problem, steps, calls, tokens, durationMs, work }: LoggedEventOf<"subagent-end">,
  style: CommandOutput["styleMessage"],
): string[] {
  const [mark, colour, words] = endings[reason];
  const why =
    problem === undefined ? words : `${words ?? "done, with a problem"}: ${shortenLine(problem, maxProblem)}`;
  const effort = [countOf(steps, "step"), countOf(calls, "call"), countOf(tokens, "token")].join(", ");
  const took = `${effort}, ${formatDuration(durationMs)}`;
  const end = `${style(colour, mark)} ${style("dim", why === undefined ? took : `${why} (${took})`)}`;
  return work === undefined ? [end] : [end, style("dim", describeBranch(work))];
}

type Ending = readonly [mark: string, colour: "green" | "red" | "yellow", words?: string];

const endings: Readonly<Record<AgentEndReason, Ending>> = {
  done: ["✓", "green"],
  failed: ["✗", "red", "failed"],
  refused: ["✗", "red", "the model refused to continue"],
  interrupted: ["■", "yellow", "stopped"],
  "max-steps": ["■", "yellow", "reached its step limit"],
  budget: ["■", "yellow", "the budget is used up"],
  "stop-condition": ["■", "yellow", "met its stop condition"],
  "cut-off": ["■", "yellow", "its answer was cut off"],
};

const maxProblem = 200;

function describeBranch({ branch, isKept, files, hasMoreFiles }: BranchWork): string {
  if (!isKept) return "no files changed";
  const more = hasMoreFiles ? "more than " : "";
  return `branch ${escapeLine(branch)}: ${more}${countOf(files.length, "file")} changed`;
}
