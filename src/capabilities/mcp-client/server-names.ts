/** Throws for server names that cannot be part of a tool's name. */
export function checkServerName(name: string): void {
  if (serverName.test(name)) return;
  throw new TypeError(
    `an MCP server's name must be 1 to 64 letters, digits, "_" or "-"; received ${JSON.stringify(name)}`,
  );
}

const serverName = /^[A-Za-z0-9_-]{1,64}$/;

/** The prefix of all tool names of a server. */
export function toolPrefix(server: string): string {
  return `mcp__${server}__`;
}

/** Another server whose tools could get the same names as this one's, as with `a` and `a__b`. */
export function findConfusable(server: string, others: Iterable<string>): string | undefined {
  const own = toolPrefix(server);
  for (const other of others) {
    const prefix = toolPrefix(other);
    if (other !== server && (own.startsWith(prefix) || prefix.startsWith(own))) return other;
  }
  return undefined;
}
