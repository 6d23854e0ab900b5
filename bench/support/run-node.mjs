import { spawn } from "node:child_process";

/** Runs Node with these arguments to its end; returns its output and duration. Throws if it fails. */
export async function runNode(nodeArguments, { cwd, env = process.env } = {}) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, nodeArguments, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const elapsedMs = performance.now() - startedAt;
  if (code !== 0) throw new Error(`node ${nodeArguments.join(" ")} ended with ${code}: ${stderr.join("")}`);
  return { stdout: stdout.join(""), elapsedMs };
}

function collect(stream) {
  const chunks = [];
  stream.setEncoding("utf8");
  stream.on("data", (chunk) => chunks.push(chunk));
  return chunks;
}
