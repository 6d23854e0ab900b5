import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Script } from "../../../../src/capabilities/agents/index.ts";
import { slashCommands } from "../../../../src/faces/cli/talk/slash/slash-commands.ts";
import { createTalk, type Talk, type TalkOptions } from "../../../../src/faces/cli/talk/talk.ts";
import type { TalkChoice, TalkStatus, TalkView } from "../../../../src/faces/cli/talk/talk-view.ts";
import type { RuntimeOptions } from "../../../../src/index.ts";
import { recordedModel } from "../../../capabilities/agents/open-agent.ts";
import { openTestSession } from "../../../support/open-test-session.ts";
import { until } from "../../../support/until.ts";

/** A conversation without a screen: what the person would see is a list of lines, and what they choose is given. */
export async function openTestTalk(
  script: Script,
  { runtime: runtimeOptions, view: given, agentModel, ...options }: TestTalkOptions = {},
) {
  const shown: string[] = [];
  const choices: { readonly title: string; readonly labels: readonly string[] }[] = [];
  /** What is chosen next, by the beginning of its label; undefined is Esc. */
  const answers: (string | undefined)[] = [];
  let filled = "";
  let status: TalkStatus | undefined;
  const view: TalkView = {
    show: (event) => {
      if (event.type === "user-message") shown.push(`❯ ${event.text}`);
      if (event.type === "agent-end") shown.push(event.text);
    },
    whenReady: () => undefined,
    settle() {},
    tell: (text) => shown.push(text),
    tellMarkdown: (text) => shown.push(text),
    setStatus: (next) => {
      status = next;
    },
    fillEditor: (text) => {
      filled = text;
    },
    async choose(title: string, all: readonly TalkChoice[]) {
      choices.push({ title, labels: all.map(({ label }) => label) });
      const wanted = answers.shift();
      return wanted === undefined ? undefined : all.find(({ label }) => label.startsWith(wanted))?.value;
    },
    decide: () => Promise.reject(new DOMException("left", "AbortError")),
    async confirm() {
      return undefined;
    },
    onApproval: () => "allow",
    onQuestion: () => ({}) as never,
    ...given,
  };
  const { model, requests } = recordedModel(script);
  const { runtime, session, workspace } = await openTestSession({
    permissions: { mode: "auto" },
    ...runtimeOptions,
  });
  await session.close();
  const file = join(workspace, "script.json");
  await writeFile(file, "[]");
  const talk: Talk = await createTalk({
    runtime,
    view,
    commands: slashCommands,
    agent: { model: `scripted/${file}`, wrapModel: () => agentModel ?? model },
    mode: "auto",
    dialect: undefined,
    session: {},
    price: undefined,
    ...options,
  });
  onTestFinished(() => talk.close());
  return {
    talk,
    runtime,
    workspace,
    requests,
    shown,
    choices,
    answers,
    filled: () => filled,
    status: () => status,
    /** What is told of this, once everything that happened is shown. */
    async say(text: string): Promise<string> {
      const before = shown.length;
      await talk.submit(text);
      return shown.slice(before).join("\n");
    },
    async seen(line: string) {
      await until(() => shown.includes(line));
    },
  };
}

interface TestTalkOptions extends Partial<Omit<TalkOptions, "runtime" | "view">> {
  readonly runtime?: RuntimeOptions;
  readonly view?: Partial<TalkView>;
  /** In place of the one that follows the script. */
  readonly agentModel?: ReturnType<typeof recordedModel>["model"];
}
