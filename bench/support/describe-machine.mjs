import { cpus } from "node:os";

/** The facts that the figures depend on. */
export function describeMachine() {
  const processors = cpus();
  return {
    node: process.versions.node,
    cores: processors.length,
    processor: processors[0]?.model.trim() ?? "unknown processor",
    date: new Date().toISOString().slice(0, 10),
  };
}
