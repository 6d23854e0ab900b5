import type { Runtime } from "../../../open-runtime.ts";

type Metrics = ReturnType<Runtime["metrics"]>;

interface Sample {
  readonly value: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly suffix?: "_bucket" | "_sum" | "_count";
}

type Family = readonly [
  name: string,
  type: "histogram" | "counter" | "gauge",
  help: string,
  readonly Sample[],
];

/** Metrics in the text format of Prometheus. */
export function formatMetrics({ calls, approvals, openSessions, appends, ...machine }: Metrics): string {
  const { eventLoopDelay: delay, memory } = machine;
  const families: readonly Family[] = [
    ["call_duration_seconds", "histogram", "Finished calls.", calls.flatMap(toHistogram)],
    ["approvals_total", "counter", "Approvals, asked for and decided.", labelled("event", approvals)],
    ["open_sessions", "gauge", "Sessions open in this process.", [{ value: openSessions }]],
    [
      "store_appends_total",
      "counter",
      "Entries written to the store, or that could not be.",
      labelled("outcome", appends),
    ],
    [
      "event_loop_delay_seconds",
      "gauge",
      "How late timers run.",
      delay === undefined
        ? []
        : labelled("of", { mean: delay.meanSeconds, p99: delay.p99Seconds, max: delay.maxSeconds }),
    ],
    [
      "memory_bytes",
      "gauge",
      "Memory of this process.",
      labelled("kind", {
        resident: memory.residentBytes,
        heap: memory.heapUsedBytes,
        external: memory.externalBytes,
      }),
    ],
  ];
  return families.map(formatFamily).join("");
}

/** One sample for each entry, whose name is the label. */
function labelled(label: string, values: Readonly<Record<string, number>>): Sample[] {
  return Object.entries(values).map(([name, value]) => ({ value, labels: { [label]: name } }));
}

function toHistogram({ tool, status, count, durationSeconds, buckets }: Metrics["calls"][number]): Sample[] {
  const labels = { tool, status };
  const inBuckets = [...buckets, { maxSeconds: "+Inf", count }];
  return [
    ...inBuckets.map(
      (each): Sample => ({
        value: each.count,
        labels: { ...labels, le: String(each.maxSeconds) },
        suffix: "_bucket",
      }),
    ),
    { value: durationSeconds, labels, suffix: "_sum" },
    { value: count, labels, suffix: "_count" },
  ];
}

function formatFamily([ownName, type, help, samples]: Family): string {
  const name = `toolwright_${ownName}`;
  const lines = samples.map(({ value, labels = {}, suffix = "" }) => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
    return `${name}${suffix}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}\n`;
  });
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}

function escapeLabel(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
