/** The official SDK takes long to load, so it is loaded here alone and only where a server runs. */
export function loadServerSdk(): Promise<ServerSdk> {
  return import("@modelcontextprotocol/server");
}

export type ServerSdk = typeof import("@modelcontextprotocol/server");
