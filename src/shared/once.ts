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
