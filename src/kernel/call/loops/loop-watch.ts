import { kinds, option, propertiesOf } from "../../../shared/options/option.ts";

/** When a model that repeats itself is told, and when a person is asked. 0: never. */
export interface LoopLimits {
  /** From which time on the result of the same call says that it is the same. Default: 3. */
  readonly warnAt?: number;
  /** Which time the same call needs approval. Default: 5. */
  readonly askAt?: number;
}

export const loopsOption = option<LoopLimits>({
  schema: {
    type: "object",
    description: "When a model that makes the same call with the same result again and again is stopped",
    properties: propertiesOf<LoopLimits>({
      warnAt: {
        ...kinds.count,
        description: "From which time on the result says so; 0 is never. Default: 3",
      },
      askAt: { ...kinds.count, description: "Which time the call needs approval; 0 is never. Default: 5" },
    }),
  },
  check: checkLoopLimits,
  example: { warnAt: 3, askAt: 5 },
});

function checkLoopLimits(limits: LoopLimits): void {
  for (const [name, limit] of Object.entries(limits)) {
    if (limit === undefined || (Number.isInteger(limit) && limit >= 0)) continue;
    throw new TypeError(`loops.${name} must be a whole number of at least 0; received ${limit}`);
  }
}

/** Counts how often the same call has given the same result, with nothing new done in between. */
export type LoopWatch = ReturnType<typeof createLoopWatch>;

interface Done {
  readonly result: string;
  readonly isActing: boolean;
  readonly begunAt?: number | undefined;
}

interface Seen {
  readonly result: string;
  readonly count: number;
  /** How many new things had been done before. */
  readonly progress: number;
  readonly moment: number;
}

/**
 * A test that is run after every edit gives the same result again and again, and is not a loop: something new was done
 * in between. A call is new if it has not had this result before, and counts if it may have changed something.
 */
export function createLoopWatch({ warnAt = 3, askAt = 5 }: LoopLimits = {}) {
  const seen = new Map<string, Seen>();
  let [progress, moment] = [0, 0];
  const current = (call: string) => {
    const known = seen.get(call);
    return known?.progress === progress ? known : undefined;
  };
  return {
    limits: { warnAt, askAt },
    /** How many results were counted so far. */
    get moment() {
      return moment;
    },
    /** How often in a row so far. */
    countOf: (call: string) => current(call)?.count ?? 0,
    /**
     * Counts a result, and returns how often it has come by now. Calls that are made at once repeat nothing: their caller
     * had not seen the result yet.
     */
    note(call: string, { result, isActing, begunAt = moment }: Done) {
      if (isActing && seen.get(call)?.result !== result) progress += 1;
      moment += 1;
      const before = current(call);
      const isAgain = before !== undefined && begunAt >= before.moment;
      const count = before?.result === result ? before.count + (isAgain ? 1 : 0) : 1;
      // Put at the end, so that the oldest is the first.
      seen.delete(call);
      seen.set(call, { result, count, progress, moment });
      if (seen.size > maxSeen) seen.delete(seen.keys().next().value!);
      return count;
    },
    /** Starts over with this call, because a person wants it. */
    forgive: (call: string) => seen.delete(call),
  };
}

// Who goes through more different calls than these before the first comes again is hardly going round in circles.
const maxSeen = 100;
