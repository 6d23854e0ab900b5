import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const question = "Allow it? [y/N]";

export const columns = 80;

/** What `toolwright demo` writes to a terminal of 80 columns if the person answers every question with yes. */
export async function recordDemo(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), "toolwright-record-"));
  try {
    // `script`, of util-linux, gives a command a terminal where there is none.
    const command = `stty cols ${columns} rows 50 -echo; exec '${process.execPath}' '${main}' demo`;
    const child = spawn("script", ["--quiet", "--return", "--command", command, "/dev/null"], {
      cwd: home,
      env: {
        PATH: process.env.PATH,
        HOME: home,
        XDG_STATE_HOME: join(home, "state"),
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        TERM: "xterm",
        SHELL: "/bin/sh",
      },
      stdio: ["pipe", "pipe", "inherit"],
    });
    let text = "";
    let answered = 0;
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      const asked = text.split(question).length - 1;
      for (; answered < asked; answered += 1) child.stdin.write("y\n");
    });
    const code = await new Promise((resolve) => child.on("close", resolve));
    if (code !== 0) throw new Error(`toolwright demo ended with ${code}:\n${text}`);
    return withoutWhere(text);
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Without what tells who recorded it, and where. */
function withoutWhere(text: string): string {
  return text
    .replaceAll(`${userInfo().username} said yes`, "you said yes")
    .replace(/\S+toolwright-demo-\w+/g, "/tmp/toolwright-demo");
}

/** Without what differs from one run to the next: durations and ids. */
export function comparable(row: string): string {
  return row
    .replace(/\b[\d.]+ m?s\b/g, "DURATION")
    .replace(/\bcall_\w+/g, "call_ID")
    .trimEnd();
}
