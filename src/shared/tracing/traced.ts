import type { Context, Span } from "@opentelemetry/api";
import { defined } from "../options/defined.ts";

/** A span by the conventions for generative AI, whose attributes begin with `gen_ai.`. */
export interface SpanStart {
  readonly name: string;
  /** `client` for what another system does. */
  readonly kind: "internal" | "client";
  readonly attributes: SpanAttributes;
}

export interface SpanEnd {
  /** If more is known by now. */
  readonly name?: string;
  readonly attributes: SpanAttributes;
  /** The kind of error, if it failed. */
  readonly error?: { readonly type: string; readonly message: string } | undefined;
}

type SpanAttributes = Readonly<Record<string, string | number | undefined>>;

/**
 * Does the work inside a span of OpenTelemetry, if the application has set it up, and otherwise just does it. Spans
 * that the work starts become parts of this one.
 */
export function traced<Result>(
  start: () => SpanStart,
  work: () => Promise<Result>,
  describeEnd: (result: Result) => SpanEnd,
): Promise<Result> {
  return isTracing() ? tracedWork(start, work, describeEnd) : work();
}

async function tracedWork<Result>(
  start: () => SpanStart,
  work: () => Promise<Result>,
  describeEnd: (result: Result) => SpanEnd,
): Promise<Result> {
  const api = await loadApi();
  if (api === undefined) return work();
  const { context, trace } = api;
  const span = unlessItFails(() => startSpan(api, start()));
  if (span === undefined) return work();
  try {
    const result = await context.with(trace.setSpan(context.active(), span), work);
    unlessItFails(() => describe(span, describeEnd(result), api));
    return result;
  } catch (error) {
    const [type, message] = error instanceof Error ? [error.name, error.message] : ["_OTHER", String(error)];
    unlessItFails(() => describe(span, { attributes: {}, error: { type, message } }, api));
    throw error;
  } finally {
    unlessItFails(() => span.end());
  }
}

function startSpan({ trace, SpanKind }: Api, { name, kind, attributes }: SpanStart): Span {
  const spanKind = kind === "client" ? SpanKind.CLIENT : SpanKind.INTERNAL;
  return trace.getTracer("toolwright").startSpan(name, { kind: spanKind, attributes: defined(attributes) });
}

function describe(span: Span, { name, attributes, error }: SpanEnd, { SpanStatusCode }: Api): void {
  if (name !== undefined) span.updateName(name);
  span.setAttributes(defined(attributes));
  if (error === undefined) return;
  span.setAttribute("error.type", error.type);
  span.setStatus({ code: SpanStatusCode.ERROR, message: error.message });
}

/** An error of an exporter must not make a call fail. */
function unlessItFails<Result>(tell: () => Result): Result | undefined {
  try {
    return tell();
  } catch {
    return undefined;
  }
}

/** Does the work as a part of the trace that the caller named in a request's `_meta`, as MCP does. */
export async function insideTraceOf<Result>(meta: unknown, work: () => Promise<Result>): Promise<Result> {
  const api = isTracing() ? await loadApi() : undefined;
  const parent = api && readParent(api, meta);
  return parent === undefined ? work() : api!.context.with(parent, work);
}

/** The current trace, for the `_meta` of a request. */
export async function traceMeta(): Promise<{ readonly traceparent?: string; readonly tracestate?: string }> {
  const api = isTracing() ? await loadApi() : undefined;
  const current = api?.trace.getActiveSpan()?.spanContext();
  if (api === undefined || current === undefined || !api.isSpanContextValid(current)) return {};
  const { traceId, spanId, traceFlags, traceState } = current;
  const flags = traceFlags.toString(16).padStart(2, "0");
  const tracestate = traceState?.serialize();
  return {
    traceparent: `00-${traceId}-${spanId}-${flags}`,
    ...defined({ tracestate: tracestate || undefined }),
  };
}

function readParent(api: Api, meta: unknown): Context | undefined {
  const { traceparent, tracestate } = (meta ?? {}) as { traceparent?: unknown; tracestate?: unknown };
  const [, traceId = "", spanId = "", flags = ""] =
    /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(String(traceparent)) ?? [];
  const spanContext = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16),
    isRemote: true,
    ...defined({
      traceState: typeof tracestate === "string" ? api.createTraceState(tracestate) : undefined,
    }),
  };
  if (!api.isSpanContextValid(spanContext)) return undefined;
  return api.trace.setSpanContext(api.context.active(), spanContext);
}

/** Whether the application has set OpenTelemetry up. Where it has not, this is all that tracing costs. */
function isTracing(): boolean {
  return (globalThis as GlobalApi)[apiKey]?.trace !== undefined;
}

/** The place where every copy of the API in a process finds the application's set-up. */
const apiKey = Symbol.for("opentelemetry.js.api.1");

interface GlobalApi {
  readonly [apiKey]?: { readonly trace?: unknown };
}

type Api = typeof import("@opentelemetry/api");

/** Loaded only where tracing is set up, and then usually there already. */
async function loadApi(): Promise<Api | undefined> {
  return import("@opentelemetry/api").catch(() => undefined);
}
