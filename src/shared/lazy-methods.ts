/** The methods of an object that is not open yet; each returns a promise. */
export type LazyMethods<Target> = {
  readonly [Name in keyof Target]: Target[Name] extends (...given: infer Given) => infer Result
    ? (...given: Given) => Promise<Awaited<Result>>
    : never;
};

/** An object that opens its target when a method is first called. Takes the method names, so that no Proxy is needed. */
export function lazyMethods<Target extends object>(
  names: Readonly<Record<keyof Target & string, true>>,
  open: () => Promise<Target>,
): LazyMethods<Target> {
  const call =
    (name: string) =>
    async (...given: unknown[]) => {
      const opened: object = await open();
      return Reflect.apply(Reflect.get(opened, name), opened, given);
    };
  return Object.fromEntries(Object.keys(names).map((name) => [name, call(name)])) as LazyMethods<Target>;
}
