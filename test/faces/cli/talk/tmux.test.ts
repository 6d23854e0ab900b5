import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { needs } from "../../../support/needs.ts";
import { until } from "../../../support/until.ts";
import { createCli, mainFile } from "../run-cli.ts";

const run = promisify(execFile);
const testInTmux = await needs("tmux");

testInTmux(
  "pasted text in tmux is one message, and everything is there once after new sizes",
  { timeout: 60_000 },
  async () => {
    const cli = await createCli({
      "script.json": JSON.stringify([{ text: "An answer." }, { text: "More." }]),
    });
    const socket = join(cli.workspace, "tmux");
    const tmux = async (...words: readonly string[]) => {
      const { stdout } = await run("tmux", ["-S", socket, "-f", "/dev/null", ...words], {
        env: { ...cli.environment, TERM: "xterm-256color" },
        cwd: cli.workspace,
      });
      return stdout;
    };
    onTestFinished(async () => {
      await tmux("kill-server").catch(() => {});
    });
    const shows = (expected: RegExp, from = "0") =>
      until(async () => expected.test(await tmux("capture-pane", "-p", "-S", from)));
    const talk = `'${process.execPath}' '${mainFile}' --model scripted/script.json`;
    await tmux("new-session", "-d", "-x", "60", "-y", "12", `seq 1 30; ${talk}; echo left; cat`);
    await shows(/\d% (?:context )?left/);
    await tmux("set-buffer", "one\ntwo");
    await tmux("paste-buffer", "-p");
    await shows(/^one\ntwo$/m);
    await tmux("send-keys", "Enter");
    await shows(/❯ one\n {2}two[\s\S]*An answer\./);
    for (const [columns, rows] of [
      [90, 12],
      [45, 8],
      [60, 30],
    ]) {
      await tmux("resize-window", "-x", `${columns}`, "-y", `${rows}`);
      const rule = `─{${columns}}`;
      // Nothing is left of the frame before it, and nothing of the conversation is gone.
      const frame = `❯ one\\n {2}two\\n\\nAn answer\\.\\n\\n${rule}\\n\\n${rule}\\n.*script.json · .*\\n*$`;
      await shows(new RegExp(`^1\\n2\\n3\\n[^─]*\\n30\\n[^─❯]*${frame}`), "-");
    }
    await tmux("send-keys", "C-d");
    await shows(/^left$/m);
  },
);
