import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { talkKeys } from "../../../../../src/faces/cli/talk/screen/talk-keys.ts";
import { defineTool } from "../../../../../src/index.ts";
import { readText } from "../../../../architecture/project-files.ts";
import { openTestTalk } from "../open-test-talk.ts";
import { openTestScreen } from "./open-test-screen.ts";

const enter = "\r";
const altEnter = "\u001b\r";
const shiftEnter = "\u001b[13;2u";
const esc = "\u001b";
const up = "\u001b[A";
const down = "\u001b[B";
const ctrl = (letter: string) => String.fromCharCode(letter.charCodeAt(0) - 64);

/** A conversation on a screen. Its model calls `wait`, which ends when the test lets it, and then answers. */
async function openTalked() {
  const asked = Promise.withResolvers<void>();
  const continued = Promise.withResolvers<void>();
  const opened = await openTestScreen({
    suspend() {
      asked.resolve();
      return continued.promise;
    },
  });
  const held = Promise.withResolvers<string>();
  const wait = defineTool({
    name: "wait",
    description: "Wait.",
    params: {},
    run: async (_input, { signal }) => {
      signal.addEventListener("abort", () => held.resolve("stopped"));
      return held.promise;
    },
  });
  const { talk, workspace } = await openTestTalk(
    (_request, step) => (step === 1 ? { calls: [{ name: "wait" }] } : { text: `answer ${step}` }),
    { view: opened.screen, runtime: { tools: [wait], permissions: { mode: "auto" } } },
  );
  opened.screen.attach(talk);
  await opened.shows("context left");
  const { type, press, shows } = opened;
  return {
    ...opened,
    talk,
    workspace,
    suspended: { asked: asked.promise, goOn: continued.resolve },
    goOn: () => held.resolve("waited"),
    /** Sends a message and waits until the agent works. */
    async begin() {
      type("begin");
      press(enter);
      await shows(/❯ begin[\s\S]*wait/);
    },
    async sends(text: string) {
      press(enter);
      await shows(text);
    },
  };
}

type Talked = Awaited<ReturnType<typeof openTalked>>;

/** What each key does, by its name in the list of keys. */
const trials: Record<string, (talked: Talked) => Promise<void>> = {
  async Enter({ begin, type, sends, goOn, shows }) {
    await begin();
    type("look left");
    await sends("(the agent reads this at its next step)");
    goOn();
    await shows(/❯ look left[\s\S]*answer 2/);
  },
  async "Alt-Enter"({ begin, type, press, shows, goOn }) {
    await begin();
    type("then rest");
    press(altEnter);
    await shows("1 queued");
    goOn();
    await shows(/answer 2[\s\S]*❯ then rest[\s\S]*answer 3/);
  },
  async "Shift-Enter"({ type, press, sends }) {
    type("one");
    press(shiftEnter);
    type("two");
    await sends("❯ one\n  two");
  },
  async "Ctrl-J"({ type, press, sends }) {
    type("one");
    press("\n");
    type("two");
    await sends("❯ one\n  two");
  },
  async "\\ and Enter"({ type, press, sends }) {
    type("one\\");
    press(enter);
    type("two");
    await sends("❯ one\n  two");
  },
  async Esc({ begin, press, shows, talk }) {
    press(esc);
    await begin();
    press(esc);
    await shows("interrupted; say what to do instead");
    expect(talk.isWorking).toBe(false);
  },
  async "Ctrl-C"({ begin, type, press, shows, visible, talk }) {
    await begin();
    press(ctrl("C"));
    await shows("interrupted; say what to do instead");
    type("not this");
    await shows("not this");
    press(ctrl("C"));
    press(ctrl("C"));
    await shows("press Ctrl-C again to leave");
    expect(visible()).not.toContain("not this");
    press(ctrl("C"));
    await talk.left;
  },
  async "Ctrl-D"({ type, press, talk, shows }) {
    type("ab");
    press("\u001b[D");
    press(ctrl("D"));
    await shows(/^a$/m);
    press(ctrl("C"));
    press(ctrl("D"));
    await talk.left;
  },
  async "Ctrl-O"({ begin, press, goOn, shows, all }) {
    await begin();
    goOn();
    await shows("answer 2");
    expect(all()).not.toMatch(/^waited$/m);
    press(ctrl("O"));
    await shows(/^wait\n\{\}\nwaited$/m);
  },
  async "Ctrl-Z"({ press, type, shows, suspended, all }) {
    type("kept");
    await shows(/^kept$/m);
    press(ctrl("Z"));
    await suspended.asked;
    await shows(/^(?![\s\S]*kept)/);
    type("for the shell");
    suspended.goOn();
    await shows(/^kept$/m);
    expect(all()).not.toContain("for the shell");
  },
  async "@"({ type, press, shows, workspace }) {
    await writeFile(join(workspace, "notes.md"), "");
    type("see @not");
    await shows("→ notes.md");
    press("\t");
    await shows("see @notes.md");
  },
  async "/"({ type, press, shows }) {
    type("/perm");
    await shows("→ /permissions");
    press("\t");
    press(enter);
    await shows("mode: auto");
  },
  async Up({ type, sends, press, shows }) {
    type("/cost");
    await sends("tokens in");
    press(up);
    await shows(/^\/cost$/m);
  },
  async Down({ type, sends, press, shows, visible }) {
    type("/cost");
    await sends("tokens in");
    press(up);
    await shows(/^\/cost$/m);
    press(down);
    type("new");
    await shows(/^new$/m);
    expect(visible()).not.toMatch(/^\/cost$/m);
  },
  async "Ctrl-W"({ type, press, shows }) {
    type("one two");
    press(ctrl("W"));
    await shows(/^one$/m);
  },
  async "Ctrl-U"({ type, press, shows }) {
    type("one two");
    press("\u001b[D", ctrl("U"));
    await shows(/^o$/m);
  },
  async "Ctrl-K"({ type, press, shows }) {
    type("one two");
    press(ctrl("A"), "\u001b[C", ctrl("K"));
    await shows(/^o$/m);
  },
  async "Ctrl-Y"({ type, press, shows }) {
    type("one two");
    press(ctrl("U"), ctrl("Y"), ctrl("Y"));
    await shows(/^one twoone two$/m);
  },
};

test("every key that is listed is tried here, and no other", () => {
  expect(Object.keys(trials).sort()).toEqual(talkKeys.flatMap(({ names }) => names).sort());
});

test("the page on interactive sessions lists the same keys", async () => {
  const page = await readText("docs/interactive.md");
  const rows = talkKeys.map(({ names, about }) => `| ${names.join(", ")} | ${about} |`);
  expect(page.replaceAll("`", "")).toContain(rows.join("\n").replaceAll("`", ""));
});

test.each(Object.keys(trials))("%s does what it says", async (name) => {
  await trials[name]!(await openTalked());
});

test("Ctrl-C and Ctrl-D before the runtime is open leave at once", async () => {
  const { press, type, leftEarly, shows } = await openTestScreen();
  type("early");
  await shows("early");
  press(ctrl("C"), ctrl("D"));
  await leftEarly;
});
