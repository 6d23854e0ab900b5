/** The methods of something that is not there yet; each of them answers later. */
export type LazyMethods<Target> = {
  readonly [Name in keyof Target]: Target[Name] extends (...given: infer Given) => infer Result
    ? (...given: Given) => Promise<Awaited<Result>>
    : never;
};

/** Opens something when the first of its methods is called. All of them are named, so that it is an object like any other. */
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
