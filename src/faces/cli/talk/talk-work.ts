import { homedir } from "node:os";
import { resolve } from "node:path";
import type { AgentResult, MessagePart } from "../../../capabilities/agents/index.ts";
import type { Mode } from "../../../kernel/policy/index.ts";
import type { Session } from "../../../kernel/runtime/index.ts";
import type { Runtime } from "../../../open-runtime.ts";
import { countOf } from "../../../shared/text/count-of.ts";
import { describeThrown } from "../../../shared/text/describe-thrown.ts";
import { readImageFile } from "../open/read-prompt-images.ts";
import { planNote } from "./plan-note.ts";
import type { ShownSession } from "./show-session.ts";
import { noModel, type TalkAgent } from "./talk-agent.ts";
import type { TalkView } from "./talk-view.ts";

/** A conversation with its agent, session and mode, as they are now. */
export interface OpenTalk {
  readonly runtime: Runtime;
  readonly view: TalkView;
  readonly session: Session;
  readonly agent: TalkAgent;
  readonly mode: Mode;
  readonly isPlanning: boolean;
  /** In `plan`, the agent only reads and proposes until the plan is approved; the mode before it is kept. */
  setMode(mode: Mode | "plan"): Promise<void>;
}

/** Something to say to the agent. */
export interface TalkMessage {
  readonly text: string;
  /** Whether the person has typed it, and not a file of the project. */
  readonly isTyped: boolean;
}

/** Lets the agent work on the messages of a conversation, one after the other. */
export function createTalkWork(
  talk: OpenTalk,
  { shownNow, onChange }: { shownNow: () => ShownSession; onChange: () => void },
) {
  const { view, agent } = talk;
  const { workspace } = talk.runtime;
  const queued: TalkMessage[] = [];
  let isWorking = false;
  /** Does some work, during which the agent counts as working. */
  const during = async (work: () => Promise<void>): Promise<void> => {
    isWorking = true;
    onChange();
    try {
      await work();
    } finally {
      isWorking = false;
      onChange();
    }
  };
  const work = async (first: TalkMessage): Promise<void> => {
    for (let message: TalkMessage | undefined = first; message !== undefined; message = queued.shift()) {
      onChange();
      const result = await agent.run(await withPlanNote(message));
      await shownNow().caughtUp();
      tellEnd(result);
      if (result.reason === "interrupted") break;
      const next = talk.isPlanning && result.reason === "done" ? await askForPlan() : undefined;
      if (next !== undefined) queued.unshift({ text: next, isTyped: false });
    }
  };
  /** Adds the note of plan mode. Only a typed message can name images; one from a file of the project cannot. */
  const withPlanNote = async ({ text, isTyped }: TalkMessage): Promise<string | readonly MessagePart[]> => {
    const message = isTyped ? await withNamedImages(text, workspace) : text;
    if (!talk.isPlanning) return message;
    return typeof message === "string"
      ? `${message}\n\n${planNote}`
      : [...message, { type: "text", text: `\n\n${planNote}` }];
  };
  const tellEnd = ({ reason, error }: AgentResult): void => {
    const why = error === undefined ? endings[reason] : `the model failed: ${error.message}`;
    if (why !== undefined) view.tell(why, reason === "interrupted" ? "note" : "problem");
  };
  /** The message that begins the work on an approved plan. */
  const askForPlan = async (): Promise<string | undefined> => {
    const open = (await talk.session.todos.list()).filter(({ status }) => status !== "completed");
    if (open.length === 0) return undefined;
    for (const [index, { title }] of open.entries()) view.tell(`${index + 1}. ${title}`);
    const steps = `Carry out this plan of ${countOf(open.length, "step")}?`;
    const answer = await view.choose(steps, [
      { value: "yes", label: "Yes", about: `in mode ${talk.mode}` },
      { value: "no", label: "No, go on planning" },
    ]);
    if (answer !== "yes") return undefined;
    await talk.setMode(talk.mode);
    return "The plan is approved. Carry it out, and keep the list of tasks up to date.";
  };
  /** Keeps a message until the agent has ended its work. */
  const queue = (message: TalkMessage): void => {
    queued.push(message);
    onChange();
  };
  return {
    get isWorking() {
      return isWorking;
    },
    /** Number of messages that wait until the agent has ended its work. */
    get queued() {
      return queued.length;
    },
    during,
    queue,
    /** Starts the work on a message; while the agent works, it reads the message at its next step. */
    async say(message: TalkMessage): Promise<void> {
      if (agent.model === undefined) {
        // The typed text goes back to the editor, so that it does not get lost.
        if (message.isTyped) view.fillEditor(message.text);
        return view.tell(noModel, "problem");
      }
      if (!isWorking)
        return during(() =>
          work(message).catch((error: unknown) => view.tell(describeThrown(error), "problem")),
        );
      if (message.isTyped && typeof (await withNamedImages(message.text, workspace)) !== "string") {
        queue(message);
        return view.tell("(a message with an image is sent separately: the agent gets it when it has ended)");
      }
      await agent.send(message.text);
      view.tell("(the agent reads this at its next step)");
    },
    dropQueued() {
      queued.length = 0;
    },
  };
}

const endings: Partial<Record<AgentResult["reason"], string>> = {
  "max-steps": "stopped: it reached the step limit",
  budget: "stopped: the budget is used up",
  interrupted: "interrupted; say what to do instead, or go on",
  "cut-off": "the answer was cut off because it got too long",
  refused: "the model refused to answer",
};

/**
 * Reads a typed message with the images that it names: `@shot.png`, or a path as terminals write one that is dropped on them.
 * A path that does not exist, or is not an image, stays text only.
 */
async function withNamedImages(text: string, workspace: string): Promise<string | readonly MessagePart[]> {
  const images: MessagePart[] = [];
  for (const path of findImagePaths(text).slice(0, maxImages)) {
    const file = resolve(
      workspace,
      path.replace(/^~(?=\/)/, () => homedir()),
    );
    const image = await readImageFile(file).catch(() => undefined);
    if (image !== undefined) images.push(image);
  }
  return images.length === 0 ? text : [{ type: "text", text }, ...images];
}

const maxImages = 20;

/** Finds the words that end like the name of an image, each once: plain, in quotes, or with blanks behind backslashes. */
export function findImagePaths(text: string): readonly string[] {
  const words = text
    .slice(0, maxRead)
    .matchAll(/@?(?:"([^"\n]{1,4096})"|'([^'\n]{1,4096})'|((?:\\.|[^\s"'\\])+))/g);
  const paths = [...words].map(
    ([, double, single, plain = ""]) =>
      double ?? single ?? plain.replace(/[.,;:!?)]{1,8}$/, "").replace(/\\(.)/g, "$1"),
  );
  return [...new Set(paths.map((path) => path.replace(/^@/, "")).filter((path) => imageName.test(path)))];
}

// A person does not type more; a paste may be long.
const maxRead = 100_000;
const imageName = /\.(?:png|jpe?g|gif|webp)$/i;
