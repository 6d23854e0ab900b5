import { fileURLToPath } from "node:url";
import { bar } from "../support/bar.mjs";
import { importPeer } from "../support/import-peer.mjs";
import { summarize } from "../support/statistics.mjs";

const sizes = { full: { firstRuns: 1, runs: 15 }, smallest: { firstRuns: 0, runs: 1 } };
const commandLine = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const library = import.meta.resolve("@earendil-works/pi-tui");

/** From spawning to the first frame on a terminal: what a person waits for. Each candidate shows a mark when it is there. */
const candidates = new Map([
  ["node shows a word", { words: ["-e", "console.log('here');setInterval(() => {}, 1000)"], mark: "here" }],
  ["an editor of the terminal library", { words: ["--input-type=module", "-e", bareEditor()], mark: "here" }],
  ["toolwright, first frame", { words: [commandLine], mark: "starting" }],
]);

function bareEditor() {
  return `import { Editor, ProcessTerminal, Text, TuiMainScreen } from ${JSON.stringify(library)};
const same = (text) => text;
const tui = new TuiMainScreen(new ProcessTerminal());
const editor = new Editor(tui, { borderColor: same, selectList: {} });
tui.addChild(editor);
tui.addChild(new Text("here", 0, 0));
tui.setFocus(editor);
tui.start();
tui.renderNow();`;
}

export async function measureFirstFrame({ size, place, leaveOut }) {
  // It is optional, and not built for every system.
  const pty = await importPeer("@lydell/node-pty", leaveOut);
  if (pty === undefined) return { tables: [], bars: [] };
  const { firstRuns, runs } = sizes[size];
  const samples = new Map([...candidates.keys()].map((name) => [name, []]));
  for (let run = -firstRuns; run < runs; run++) {
    for (const [name, candidate] of candidates) {
      const elapsedMs = await waitForFrame(candidate, { ...place, spawn: pty.spawn });
      if (run >= 0) samples.get(name).push(elapsedMs);
    }
  }
  const times = new Map([...samples].map(([name, list]) => [name, summarize(list)]));
  const floor = times.get("node shows a word").best;
  const ours = times.get("toolwright, first frame").best;
  const rows = [...times].map(([name, { best, median }]) => ({
    name,
    unit: "ms",
    best,
    median,
    ratios: { "node shows a word": best / floor },
  }));
  return {
    tables: [{ title: "The first frame of an interactive session", rows }],
    bars: [
      bar("the first frame over node showing a word", { value: ours / floor, limit: 5 }),
      bar("the first frame", { value: ours, limit: 300, unit: "ms" }),
    ],
  };
}

function waitForFrame({ words, mark }, { cwd, env, spawn }) {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const child = spawn(process.execPath, words, {
      cols: 80,
      rows: 30,
      cwd,
      env: { ...env, TERM: "xterm-256color" },
    });
    let shown = "";
    let elapsedMs;
    child.onData((data) => {
      shown += data;
      if (elapsedMs !== undefined || !shown.includes(mark)) return;
      elapsedMs = performance.now() - startedAt;
      child.kill("SIGKILL");
    });
    child.onExit(() => {
      if (elapsedMs === undefined) reject(new Error(`${words[0]} ended without a frame: ${shown}`));
      else resolve(elapsedMs);
    });
  });
}
