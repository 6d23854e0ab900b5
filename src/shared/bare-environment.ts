/**
 * The environment of our own programs that need none. It is not empty: a process without any variable may be one that
 * is just starting, so a search for a command's processes would wait and read it again.
 */
export const bareEnvironment: Readonly<Record<string, string>> = { LANG: "C" };
