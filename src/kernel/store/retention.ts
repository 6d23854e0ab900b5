import { kinds, option, propertiesOf } from "../../shared/options/option.ts";

/** How long and how much is kept. Records of a session that a process has open are never removed. */
export interface RetentionOptions {
  /** After how many days a session that is not open is removed, with its log. Default: never. */
  readonly sessionDays?: number;
  /**
   * How many bytes the logs of all sessions may take; those not used for longest are removed first. Default: no limit.
   */
  readonly logBytes?: number;
  /** How many bytes the kept outputs of calls may take on disk. Default: 1 GiB. */
  readonly outputBytes?: number;
  /** The same for the output of background commands. Default: 1 GiB. */
  readonly jobBytes?: number;
  /**
   * The same for the earlier contents of files, which undo needs; those not used for longest go first. Default: 1 GiB.
   */
  readonly blobBytes?: number;
  /** Changes can be undone for so many days: no session is removed before, whatever else is set. Default: 7. */
  readonly undoDays?: number;
}

export const retentionOption = option<RetentionOptions>({
  schema: {
    type: "object",
    description: "How long records are kept; what a process has open is never removed",
    properties: propertiesOf<RetentionOptions>({
      sessionDays: {
        ...kinds.limit,
        description: "After how many days a session is removed. Default: never",
      },
      logBytes: {
        ...kinds.limit,
        description: "Most bytes for all logs; the oldest sessions are removed first. Default: no limit",
      },
      outputBytes: { ...kinds.limit, description: "Most bytes for kept outputs of calls. Default: 1 GiB" },
      jobBytes: {
        ...kinds.limit,
        description: "Most bytes for output of background commands. Default: 1 GiB",
      },
      blobBytes: { ...kinds.limit, description: "Most bytes for earlier contents of files. Default: 1 GiB" },
      undoDays: {
        ...kinds.limit,
        description: "For how many days changes can be undone; no session is removed before. Default: 7",
      },
    }),
  },
  check: checkRetention,
  example: { sessionDays: 90 },
});

export const defaultRetention = {
  outputBytes: 2 ** 30,
  jobBytes: 2 ** 30,
  blobBytes: 2 ** 30,
  undoDays: 7,
} as const;

function checkRetention(options: RetentionOptions): void {
  for (const [name, limit] of Object.entries(options)) {
    if (typeof limit === "number" && limit >= 0) continue;
    throw new TypeError(
      `openRuntime: retention.${name} must be a number of at least 0; received ${JSON.stringify(limit)}`,
    );
  }
}
