/** Environment variable that marks every process a command starts, so that it can be found wherever it went. */
export const markerVariable = "TOOLWRIGHT_COMMAND";

/**
 * The same for the program that confines a command, which is not the command's: it is there before anything that has the
 * marker, and goes on to start the command even if nobody is left to wait for it.
 */
export const sandboxVariable = "TOOLWRIGHT_SANDBOX";

// Far beyond what any machine has, so that they limit nothing.
const most = 2 ** 52 - 1;

/**
 * For bash: marks itself and everything that it starts by limits of resources. Unlike a variable or a parent, a limit cannot
 * be left behind: only the administrator may raise one.
 */
export const limitCommand = `ulimit -t ${most} -f ${most} -d ${most} -m ${most} 2>/dev/null`;

/** Whether a process was marked by limits, from what Linux tells of them. */
export function isLimited(limits: string): boolean {
  return markedLimits.every((name) => {
    const row = limits.split("\n").find((line) => line.startsWith(name)) ?? "";
    const [, hard] = row.slice(name.length).trim().split(/\s+/);
    return hard !== undefined && hard !== "unlimited";
  });
}

/** Nobody limits all four for people: some are of no effect, or would surprise whoever works there. */
const markedLimits = ["Max cpu time", "Max file size", "Max data size", "Max resident set"];
