import type { Runtime } from "../../../open-runtime.ts";

type Metrics = ReturnType<Runtime["metrics"]>;

/** Metrics in the text format of Prometheus. */
export function formatMetrics(metrics: Metrics): string {
  const { approvals, openSessions, appends, eventLoopDelay: delay, memory } = metrics;
  const families: readonly (readonly [
    name: string,
    type: string,
    help: string,
    samples: readonly string[],
  ])[] = [
    ["toolwright_call_duration_seconds", "histogram", "Finished calls.", metrics.calls.flatMap(toHistogram)],
    [
      "toolwright_approvals_total",
      "counter",
      "Approvals, asked for and decided.",
      Object.entries(approvals).map(([event, count]) =>
        sample("toolwright_approvals_total", count, { event }),
      ),
    ],
    [
      "toolwright_open_sessions",
      "gauge",
      "Sessions open in this process.",
      [sample("toolwright_open_sessions", openSessions)],
    ],
    [
      "toolwright_store_appends_total",
      "counter",
      "Entries written to the store, or that could not be.",
      Object.entries(appends).map(([outcome, count]) =>
        sample("toolwright_store_appends_total", count, { outcome }),
      ),
    ],
    [
      "toolwright_event_loop_delay_seconds",
      "gauge",
      "How late timers run.",
      delay === undefined
        ? []
        : [
            sample("toolwright_event_loop_delay_seconds", delay.meanSeconds, { of: "mean" }),
            sample("toolwright_event_loop_delay_seconds", delay.p99Seconds, { of: "p99" }),
            sample("toolwright_event_loop_delay_seconds", delay.maxSeconds, { of: "max" }),
          ],
    ],
    [
      "toolwright_memory_bytes",
      "gauge",
      "Memory of this process.",
      [
        sample("toolwright_memory_bytes", memory.residentBytes, { kind: "resident" }),
        sample("toolwright_memory_bytes", memory.heapUsedBytes, { kind: "heap" }),
        sample("toolwright_memory_bytes", memory.externalBytes, { kind: "external" }),
      ],
    ],
  ];
  const texts = families.map(
    ([name, type, help, samples]) => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${samples.join("")}`,
  );
  return texts.join("");
}

function toHistogram({ tool, status, count, durationSeconds, buckets }: Metrics["calls"][number]): string[] {
  const name = "toolwright_call_duration_seconds";
  const labels = { tool, status };
  return [
    ...buckets.map((each) =>
      sample(`${name}_bucket`, each.count, { ...labels, le: String(each.maxSeconds) }),
    ),
    sample(`${name}_bucket`, count, { ...labels, le: "+Inf" }),
    sample(`${name}_sum`, durationSeconds, labels),
    sample(`${name}_count`, count, labels),
  ];
}

function sample(name: string, value: number, labels: Readonly<Record<string, string>> = {}): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}\n`;
}

function escapeLabel(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
