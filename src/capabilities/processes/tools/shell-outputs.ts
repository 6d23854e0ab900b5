import {
  aCount,
  aFlag,
  arrayOf,
  aText,
  aTime,
  eitherOf,
  objectOf,
  texts,
} from "../../../tool/builtin/schema-parts.ts";

// Not as a list of types, which some clients cannot read.
const exitCode = { anyOf: [{ type: "integer" }, { type: "null" }] } as const;
const signal = { anyOf: [{ type: "string" }, { type: "null" }] } as const;

/** A background job. */
export const jobState = objectOf(
  {
    id: aText,
    command: aText,
    state: { enum: ["running", "done", "failed", "killed", "timed-out", "unknown"] },
    exitCode,
    signal,
    startedAt: aTime,
    identity: objectOf({ pid: aCount, startedAt: aText }),
    isKept: aFlag,
    hasTerminal: aFlag,
    outputFile: aText,
  },
  { endedAt: aTime, isWaitingForInput: aFlag, note: aText },
);

export const commandResult = eitherOf(
  objectOf({ started: jobState }),
  objectOf(
    {
      exitCode,
      signal,
      stdout: aText,
      stderr: aText,
      omitted: {
        ...objectOf({ stdout: aCount, stderr: aCount }),
        description: "Bytes that were cut from each",
      },
      elapsedMs: { type: "number", minimum: 0 },
      directory: { ...aText, description: "Where the next command starts" },
      notes: texts,
    },
    {
      omittedFrom: {
        ...objectOf({ line: aCount }, { column: aCount }),
        description: "Where in outputFile the first of them are",
      },
      endedBy: { enum: ["timeout", "caller"] },
      job: jobState,
      outputFile: { ...aText, description: "File with the full output" },
      isFileCapped: aFlag,
      category: aText,
    },
  ),
);

export const jobOutput = eitherOf(
  objectOf({ jobs: arrayOf(jobState) }),
  objectOf(
    {
      job: jobState,
      text: aText,
      cursor: { ...aCount, description: "Where to continue" },
      hasMore: aFlag,
    },
    { isCapped: aFlag, readiness: objectOf({ isReady: aFlag, reason: aText, job: jobState }) },
  ),
);

/** Goes before each line of stderr in a command's result. */
export const stderrMark = "[stderr] ";
