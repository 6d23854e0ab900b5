import { parseFrozen } from "../../../shared/json.ts";
import { taskScope } from "../kept/kept-kind.ts";
import type { VariableText } from "../log-entry.ts";
import { leaseScope, parseLease } from "../session-lease.ts";
import type { SessionLease, SessionRecord } from "../store.ts";

export type MemoryVariables = ReturnType<typeof createMemoryVariables>;

/** The table of variables, in memory, and the leases among them. */
export function createMemoryVariables() {
  const variables = new Map<string, Map<string, string>>();
  /** The numbers of leases, which are written far less often than they are compared. */
  const fences = new Map<string, number>();
  const textOf = (scope: string, name: string) => variables.get(scope)?.get(name);
  const leaseOf = (id: string): SessionLease | undefined => {
    const text = textOf(leaseScope, id);
    return text === undefined ? undefined : parseLease(text);
  };
  return {
    textOf,
    leaseOf,

    write({ scope, name, text }: VariableText) {
      if (scope === leaseScope) fences.delete(name);
      const known = variables.get(scope) ?? new Map<string, string>();
      variables.set(scope, known);
      if (text === undefined) known.delete(name);
      else known.set(name, text);
    },

    read: (scope: string) =>
      new Map([...(variables.get(scope) ?? [])].map(([name, text]) => [name, parseFrozen(text)])),

    listScopes: (prefix: string) =>
      [...variables].flatMap(([scope, { size }]) => (scope.startsWith(prefix) && size > 0 ? scope : [])),

    fenceOf(id: string) {
      const fence = fences.get(id) ?? leaseOf(id)?.fence;
      if (fence !== undefined) fences.set(id, fence);
      return fence;
    },

    /** Removes the variables of a session, whose scopes end with its id; other sessions may work on the same task. */
    forgetSession({ id, taskId }: Pick<SessionRecord, "id" | "taskId">, isTaskNeeded: boolean) {
      for (const scope of variables.keys()) {
        const isOwn = scope.startsWith(`${taskScope}:`)
          ? scope === `${taskScope}:${taskId}` && !isTaskNeeded
          : scope.endsWith(`:${id}`);
        if (isOwn) variables.delete(scope);
      }
      variables.get(leaseScope)?.delete(id);
      fences.delete(id);
    },

    clear: () => variables.clear(),
  };
}
