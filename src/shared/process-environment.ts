/** The environment variable that marks every process a command starts, so that all of them can be found. */
export const markerVariable = "TOOLWRIGHT_COMMAND";

/**
 * The variable that marks the program which confines a command. It is not the command's own marker: this program exists
 * before any process with that marker, and would start the command even after its caller has gone.
 */
export const sandboxVariable = "TOOLWRIGHT_SANDBOX";

/** The marker of one command of an owner. */
export function joinMarker(owner: string, command: string): string {
  return `${owner}.${command}`;
}

// Far more than any machine has, so that these limits have no effect.
const most = 2 ** 52 - 1;

/**
 * A command for bash, which marks itself and every process that it starts by limits of resources. Unlike a variable or
 * a parent, a limit cannot be left behind: only the administrator may raise one.
 */
export const limitCommand = `ulimit -t ${most} -f ${most} -d ${most} -m ${most} 2>/dev/null`;

/** Whether a process was marked by limits, read from the text of `/proc/PID/limits`. */
export function isLimited(limits: string): boolean {
  return markedLimits.every((name) => {
    const row = limits.split("\n").find((line) => line.startsWith(name)) ?? "";
    const [, hard] = row.slice(name.length).trim().split(/\s+/);
    return hard !== undefined && hard !== "unlimited";
  });
}

/** No system limits all four for its users: some have no effect, and others would disturb them. */
const markedLimits = ["Max cpu time", "Max file size", "Max data size", "Max resident set"];

/**
 * The environment of the programs of this package that need no variables. It is not empty: a process without any
 * variable may be one that is just starting, so a search for a command's processes would wait and read it again.
 */
export const bareEnvironment: Readonly<Record<string, string>> = { LANG: "C" };
