/** Goes before each line of stderr in a command's result. */
export const stderrMark = "[stderr] ";
