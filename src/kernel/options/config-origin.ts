/** Kept with the options, also in copies of them, although it is not one of them: a file cannot say where it is. */
const origin = Symbol("the file that the options are from");

/** The options with the file that they were read from. */
export function withConfigFile<Options extends object>(options: Options, file: string): Options {
  return { ...options, [origin]: file };
}

export function configFileOf(options: object): string | undefined {
  return (options as { readonly [origin]?: string })[origin];
}
