import { spawn } from "node:child_process";
import { once } from "node:events";
import { rgPath } from "@vscode/ripgrep";

/** Runs the same ripgrep as Toolwright, with nothing around it; resolves to the number of lines it printed. */
export async function runRipgrep(ripgrepArguments, cwd) {
  const child = spawn(rgPath, ["--no-config", "--color=never", ...ripgrepArguments], {
    cwd,
    env: {},
    stdio: ["ignore", "pipe", "inherit"],
  });
  let lines = 0;
  child.stdout.on("data", (chunk) => {
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1;
  });
  const [exitCode] = await once(child, "close");
  if (exitCode !== 0 && exitCode !== 1) throw new Error(`ripgrep ended with ${exitCode}`);
  return lines;
}
