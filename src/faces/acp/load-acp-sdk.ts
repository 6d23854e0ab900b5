/** The Agent Client Protocol's own SDK, loaded only by those who speak to an editor. */
export function loadAcpSdk() {
  return import("@agentclientprotocol/sdk");
}

export type AcpSdk = Awaited<ReturnType<typeof loadAcpSdk>>;
