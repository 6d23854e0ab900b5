/** Whether this run takes all the time it needs: every case, every round, and tests that are too slow for each run. */
export const isFullRun = process.env.TOOLWRIGHT_FUZZ === "full";
