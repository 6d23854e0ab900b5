/** The official SDK is slow to load, so it is loaded only here, when a server starts. */
export function loadServerSdk(): Promise<ServerSdk> {
  return import("@modelcontextprotocol/server");
}

export type ServerSdk = typeof import("@modelcontextprotocol/server");
