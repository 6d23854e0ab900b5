import { compatibleProvider, providerOf } from "../../../capabilities/agents/models/find-model.ts";

/** Where a model is asked: at the server that was named, if it is one that the server may have. */
export function createModelPlace({ model = "", baseUrl }: { model?: string; baseUrl?: string }) {
  // The key of another provider is not sent there.
  const served = new Set([compatibleProvider, providerOf(model)]);
  return (name: string) => (baseUrl !== undefined && served.has(providerOf(name)) ? { baseUrl } : {});
}
