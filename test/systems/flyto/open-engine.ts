import { realpath } from "node:fs/promises";
import { onTestFinished } from "vitest";
import { type ScriptedStep, scriptedModel } from "../../../src/capabilities/agents/index.ts";
import { Engine, type EngineOptions, type Tool } from "../../../src/systems/flyto/index.ts";
import { type Contents, putFiles } from "../../support/open-file-session.ts";
import { temporaryFolder } from "../../support/open-test-session.ts";

export const calling = (name: string, input: object = {}): ScriptedStep => ({ calls: [{ name, input }] });

/** An engine on a folder of its own, whose model says these things; commands need no approval. */
export async function openEngine(
  steps: readonly ScriptedStep[] = [],
  { files = {}, ...options }: Partial<EngineOptions> & { readonly files?: Contents } = {},
) {
  const cwd = await realpath(await temporaryFolder());
  await putFiles(cwd, files);
  const left = [...steps];
  const engine = await Engine.open({
    model: scriptedModel(() => left.shift() ?? { text: "Done." }),
    cwd,
    ...options,
    toolwright: { store: "memory:", sandbox: "off", permissions: { mode: "auto" }, ...options.toolwright },
  });
  onTestFinished(() => engine.close());
  return { engine, cwd };
}

/** A tool without parameters. */
export function toolNamed(name: string, Execute: Tool["Execute"], more: Partial<Tool> = {}): Tool {
  return {
    Name: () => name,
    Description: () => `Does ${name}.`,
    InputSchema: () => ({ type: "object", properties: {} }),
    Execute,
    ...more,
  };
}
