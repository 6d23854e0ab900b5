import type { ProviderSetup } from "../../../capabilities/agents/models/list-providers.ts";

/** Whether a provider of models can be used, or what it needs. */
export function describeProvider(provider: ProviderSetup): string {
  const { key, install, isInstalled } = provider;
  const needs = [...missingKey(provider), ...(isInstalled ? [] : [`run: ${install}`])];
  if (needs.length > 0) return `needs: ${needs.join("; ")}`;
  return key === undefined ? "ready, no key needed" : `ready, with ${key}`;
}

/** Empty if it has its key, or needs none. */
export function missingKey({ key, keyVariables, needsKey }: ProviderSetup): string[] {
  return needsKey && key === undefined ? [`set ${keyVariables[0]}`] : [];
}
