/** The official SDK takes long to load, so it is loaded here alone and only where a server is connected to. */
export function loadClientSdk(): Promise<ClientSdk> {
  return import("@modelcontextprotocol/client");
}

export type ClientSdk = typeof import("@modelcontextprotocol/client");
