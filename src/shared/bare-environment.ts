/**
 * The environment of programs of our own that need none. It is not empty: a process without any variable may be one
 * that is just starting, so that whoever looks for a command's processes waits and reads it again.
 */
export const bareEnvironment: Readonly<Record<string, string>> = { LANG: "C" };
