/** Stdout for one writer alone: whatever else is written there, such as by a tool that prints, goes to stderr. */
export function takeStdout(): Pick<NodeJS.WriteStream, "write" | "on"> {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  return { write, on: stdout.on.bind(stdout) };
}
