/** The numbers are part of the public contract: scripts branch on them. */
export const exitCodes = { done: 0, failed: 1, wrongUsage: 2, denied: 3, timedOut: 4 } as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
