/** Takes stdout for a protocol: whatever else is printed, for example by a tool, goes to stderr instead. */
export function takeStdout(): Pick<NodeJS.WriteStream, "write" | "on"> {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  return { write, on: stdout.on.bind(stdout) };
}
