/** Calls the function when its result is first needed, and never again. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Does the same for a promise. After one that was rejected, the function is called again when the result is next needed. */
export function onceResolved<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let making: Promise<Value> | undefined;
  return () => {
    making ??= make().catch((error: unknown) => {
      making = undefined;
      throw error;
    });
    return making;
  };
}

/** Opens a thing when it is first needed, and closes it only if it was opened. */
export function openWhenNeeded<Opened extends { close(): Promise<void> }>(open: () => Promise<Opened>) {
  let opened: Promise<Opened> | undefined;
  return {
    open(): Promise<Opened> {
      opened ??= open();
      return opened;
    },
    isUnused: () => opened === undefined,
    close: async (): Promise<void> => (await opened)?.close(),
  };
}
