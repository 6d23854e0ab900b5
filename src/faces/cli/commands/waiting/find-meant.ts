import type { WaitingItem } from "../../../../waiting-list.ts";

/**
 * The entry that a person means by an id: without its @ part, the present version. A server may call a tool `read@all`,
 * which is not a version of its tool `read`.
 */
export function findMeant(waiting: readonly WaitingItem[], id: string): WaitingItem | undefined {
  const isVersionOf = (versioned: string) =>
    versioned.startsWith(`${id}@`) && /^[0-9a-f]+$/.test(versioned.slice(id.length + 1));
  return waiting.find((item) => item.id === id) ?? waiting.find((item) => isVersionOf(item.id));
}
