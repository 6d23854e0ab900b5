/** Others run some of it and then lose a command's output or a lock, so they are refused. Undefined for Node. */
export function whyUnsupported({
  versions,
  platform,
}: Pick<NodeJS.Process, "versions" | "platform"> = process): string | undefined {
  const { bun, deno } = versions;
  const other = bun !== undefined ? `Bun ${bun}` : deno !== undefined ? `Deno ${deno}` : undefined;
  if (other !== undefined) return `Toolwright needs Node 22.18 or newer; ${other} cannot run it yet.`;
  if (platform === "win32")
    return "Toolwright runs on Linux and macOS. On Windows, use it inside WSL (https://aka.ms/wsl).";
  return undefined;
}
