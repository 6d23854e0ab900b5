/** The official SDK takes long to load, so it is loaded here alone and only where a server runs. */
export function loadSdk(): Promise<Sdk> {
  return import("@modelcontextprotocol/server");
}

export type Sdk = typeof import("@modelcontextprotocol/server");
