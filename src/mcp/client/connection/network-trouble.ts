import { isPlainObject } from "../../../shared/json.ts";

/** Why something cannot be reached, in the words of the network, which those who asked it wrap several times over. */
export function findNetworkTrouble(error: unknown, depth = 0): string | undefined {
  if (!(error instanceof Error) || depth > maxCauses) return undefined;
  if ("syscall" in error && error.syscall !== undefined && depth > 0)
    return `it cannot be reached: ${error.message}`;
  return findNetworkTrouble(causeOf(error), depth + 1);
}

const maxCauses = 5;

function causeOf(error: Error): unknown {
  // One for each address of a name, such as both of localhost.
  if (error instanceof AggregateError) return error.errors[0];
  const data = "data" in error ? error.data : undefined;
  return error.cause ?? (isPlainObject(data) ? data.cause : undefined);
}
