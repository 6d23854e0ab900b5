/**
 * The key of the file's path in the options and in copies of them. It is not an option, because a file cannot say where
 * it is.
 */
const origin = Symbol("the file that the options are from");

/** The options with the file that they were read from. */
export function withConfigFile<Options extends object>(options: Options, file: string): Options {
  return { ...options, [origin]: file };
}

export function configFileOf(options: object): string | undefined {
  return (options as { readonly [origin]?: string })[origin];
}
