/** Environment variable that marks every process a command starts, so that it can be found wherever it went. */
export const markerVariable = "TOOLWRIGHT_COMMAND";
