import { defined } from "../../shared/options/defined.ts";
import type { CallStatus, ReceiptBody } from "../events/index.ts";
import type { Store } from "../store/index.ts";

/** Counts of a runtime's work since it was opened, and of the time and memory it takes. */
export interface RuntimeMetrics {
  /** Finished calls by tool and status. */
  readonly calls: readonly CallMetrics[];
  /** How often a person was asked for approval, and what came of it. */
  readonly approvals: Readonly<Record<"asked" | "allow" | "deny" | "withdrawn", number>>;
  readonly openSessions: number;
  /** Entries written to the store, and those that could not be written. */
  readonly appends: { readonly written: number; readonly failed: number };
  /** How late timers of this process run; undefined in the first report, with which measuring begins. */
  readonly eventLoopDelay?: {
    readonly meanSeconds: number;
    readonly p99Seconds: number;
    readonly maxSeconds: number;
  };
  readonly memory: {
    readonly residentBytes: number;
    readonly heapUsedBytes: number;
    readonly externalBytes: number;
  };
}

export interface CallMetrics {
  readonly tool: string;
  readonly status: CallStatus;
  readonly count: number;
  readonly durationSeconds: number;
  /** How many took at most so long; each includes those before it. */
  readonly buckets: readonly { readonly maxSeconds: number; readonly count: number }[];
}

const bounds: readonly number[] = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60, 300];

export type MetricsRecorder = ReturnType<typeof createMetricsRecorder>;

export function createMetricsRecorder({ appends }: Pick<Store, "appends">) {
  const calls = new Map<string, Counted<CallMetrics>>();
  const approvals = { asked: 0, allow: 0, deny: 0, withdrawn: 0 };
  const loop = createLoopDelay();
  let openSessions = 0;

  return {
    onCall({ tool, status, code, durationMs }: ReceiptBody) {
      // A caller may make up any number of names.
      const name = code === "unknown-tool" || calls.size >= maxSeries ? "other" : tool;
      const key = `${status} ${name}`;
      const known = calls.get(key) ?? {
        tool: name,
        status,
        count: 0,
        durationSeconds: 0,
        buckets: bounds.map((maxSeconds) => ({ maxSeconds, count: 0 })),
      };
      const seconds = durationMs / 1000;
      known.count += 1;
      known.durationSeconds += seconds;
      for (const bucket of known.buckets) bucket.count += Number(seconds <= bucket.maxSeconds);
      calls.set(key, known);
    },
    onApproval(what: keyof typeof approvals) {
      approvals[what] += 1;
    },
    onSession(closed: Promise<void>) {
      openSessions += 1;
      const onClosed = () => {
        openSessions -= 1;
      };
      closed.then(onClosed, onClosed);
    },
    read(): RuntimeMetrics {
      const { rss, heapUsed, external } = process.memoryUsage();
      return {
        calls: structuredClone([...calls.values()]),
        approvals: { ...approvals },
        openSessions,
        appends: { ...appends },
        ...defined({ eventLoopDelay: loop.read() }),
        memory: { residentBytes: rss, heapUsedBytes: heapUsed, externalBytes: external },
      };
    },
  };
}

const maxSeries = 1000;

/** In place, because counting is done for every call, and reading seldom. */
type Counted<Type> = Type extends object ? { -readonly [Key in keyof Type]: Counted<Type[Key]> } : Type;

/** Measured from the first reading on, since most processes never read it. */
function createLoopDelay(): { read(): RuntimeMetrics["eventLoopDelay"] } {
  let histogram: { mean: number; max: number; count: number; percentile(of: number): number } | undefined;
  const seconds = (nanoseconds: number) => nanoseconds / 1e9;
  return {
    read() {
      if (histogram === undefined) {
        const started = process.getBuiltinModule("node:perf_hooks").monitorEventLoopDelay();
        started.enable();
        histogram = started;
        return undefined;
      }
      if (histogram.count === 0) return undefined;
      const { mean, max } = histogram;
      return {
        meanSeconds: seconds(mean),
        p99Seconds: seconds(histogram.percentile(99)),
        maxSeconds: seconds(max),
      };
    },
  };
}
