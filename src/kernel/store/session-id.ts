/** The outputs and jobs of a session are in folders that have its id as their name, so none may be a path. */
export function isSessionId(id: string): boolean {
  return /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/.test(id);
}

export function describeSessionIdRule(received: string): string {
  return `a session's id must be 1 to 128 letters, digits, ".", "_" or "-"; received ${JSON.stringify(received)}`;
}
