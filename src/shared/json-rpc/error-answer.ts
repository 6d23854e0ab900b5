/** An answer that says why a request has no result. Without an id, the request could not be read. */
export function errorAnswer<Id extends string | number | null = null>(
  message: string,
  { id, code = serverError }: { id: Id; code?: number },
) {
  return { jsonrpc: "2.0" as const, id, error: { code, message } };
}

const serverError = -32_000;
