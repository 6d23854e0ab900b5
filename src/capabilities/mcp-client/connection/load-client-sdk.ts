/** The official SDK is slow to load, so it is loaded only here, when a server is connected. */
export function loadClientSdk(): Promise<ClientSdk> {
  return import("@modelcontextprotocol/client");
}

export type ClientSdk = typeof import("@modelcontextprotocol/client");
