import type { ProviderSetup } from "../../../capabilities/agents/models/list-providers.ts";

/** Says whether a provider of models can be used, or which key or package it needs. */
export function describeProvider(provider: ProviderSetup): string {
  const { key, install, isInstalled } = provider;
  const needs = [missingKey(provider), isInstalled ? undefined : `run: ${install}`].filter(
    (need) => need !== undefined,
  );
  if (needs.length > 0) return `needs: ${needs.join("; ")}`;
  return key === undefined ? "ready, no key needed" : `ready, with ${key}`;
}

/** The advice to set the provider's key; undefined if it has its key, or needs none. */
export function missingKey({ key, keyVariables, needsKey }: ProviderSetup): string | undefined {
  return needsKey && key === undefined ? `set ${keyVariables[0]}` : undefined;
}
