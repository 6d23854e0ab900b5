/** The official SDK takes long to load, so it is loaded here alone and only where a server is connected to. */
export function loadSdk(): Promise<Sdk> {
  return import("@modelcontextprotocol/client");
}

export type Sdk = typeof import("@modelcontextprotocol/client");
