/** The methods of something that is not there yet; each of them answers later. */
export type LazyMethods<Target> = {
  readonly [Name in keyof Target]: Target[Name] extends (...given: infer Given) => infer Result
    ? (...given: Given) => Promise<Awaited<Result>>
    : never;
};

/** Opens something when the first of its methods is called. */
export function lazyMethods<Target extends object>(open: () => Promise<Target>): LazyMethods<Target> {
  const get = (target: object, name: string | symbol) => {
    // What was added to it is there already. And whoever waits for it waits for nothing.
    if (Object.hasOwn(target, name) || typeof name === "symbol" || name === "then")
      return Reflect.get(target, name);
    return async (...given: unknown[]) => {
      const opened = await open();
      const method: unknown = Reflect.get(opened, name);
      if (typeof method !== "function") throw new TypeError(`there is no ${name}`);
      return Reflect.apply(method, opened, given);
    };
  };
  return new Proxy({}, { get }) as LazyMethods<Target>;
}
