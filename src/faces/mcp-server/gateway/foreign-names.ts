/**
 * The address of another server's resource: its own URI after the server's name, so that two servers may have the same
 * one. The URI is not encoded, because a template's values would then be encoded once more than the rest of it.
 */
export function toForeignAddress(server: string, uri: string): string {
  return `${prefix}${server}/${uri}`;
}

export function readForeignAddress(address: string): { server: string; own: string } | undefined {
  if (!address.startsWith(prefix)) return undefined;
  const end = address.indexOf("/", prefix.length);
  const own = address.slice(end + 1);
  return end === -1 || own === "" ? undefined : { server: address.slice(prefix.length, end), own };
}

const prefix = "toolwright://mcp/";

export function promptName(server: string, own: string): string {
  return `${server}__${own}`;
}

/** Reads the server's own name of a prompt. Servers' names are checked, so that none can be taken for another here. */
export function readPromptName(server: string, name: string): string | undefined {
  const start = promptName(server, "");
  return name.startsWith(start) && name.length > start.length ? name.slice(start.length) : undefined;
}
