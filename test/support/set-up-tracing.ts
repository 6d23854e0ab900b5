import { AsyncLocalStorage } from "node:async_hooks";
import { type Context, type ContextManager, context, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { onTestFinished } from "vitest";

/** OpenTelemetry as an application sets it up, until the test ends. Gives the spans that have ended. */
export function setUpTracing(
  processor?: SimpleSpanProcessor | Pick<SimpleSpanProcessor, keyof SimpleSpanProcessor>,
) {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({
    spanProcessors: [processor ?? new SimpleSpanProcessor(exporter)],
  });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(createContextManager());
  onTestFinished(() => {
    trace.disable();
    context.disable();
  });
  return (): ReadableSpan[] => exporter.getFinishedSpans();
}

function createContextManager(): ContextManager {
  const storage = new AsyncLocalStorage<Context>();
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (inside, work, self, ...words) => storage.run(inside, () => work.call(self, ...words)),
    bind: (_inside, target) => target,
    enable: () => manager,
    disable: () => manager,
  };
  return manager;
}
