/** Both streams as one text: what was printed, then what was complained of, line by line marked as such. */
export function renderOutput({ stdout, stderr }: { stdout: string; stderr: string }): string {
  if (stderr === "") return stdout;
  const complaints = stderr
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => `[stderr] ${line}`)
    .join("\n");
  if (stdout === "") return complaints;
  return stdout.endsWith("\n") ? stdout + complaints : `${stdout}\n${complaints}`;
}
