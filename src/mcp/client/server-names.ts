/** Refuses names of servers that could not stand in a tool's name. */
export function checkServerName(name: string): void {
  if (serverName.test(name)) return;
  throw new TypeError(
    `an MCP server's name must be 1 to 64 letters, digits, "_" or "-"; received ${JSON.stringify(name)}`,
  );
}

const serverName = /^[A-Za-z0-9_-]{1,64}$/;

/** How the names of all tools of a server begin. */
export function toolPrefix(server: string): string {
  return `mcp__${server}__`;
}

/** A server among the others whose tools could be called as those of this one, as with `a` and `a__b`. */
export function findConfusable(server: string, others: Iterable<string>): string | undefined {
  const own = toolPrefix(server);
  for (const other of others) {
    const prefix = toolPrefix(other);
    if (other !== server && (own.startsWith(prefix) || prefix.startsWith(own))) return other;
  }
  return undefined;
}
