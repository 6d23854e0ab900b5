import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough, Readable, Writable } from "node:stream";
import * as acp from "@agentclientprotocol/sdk";
import { onTestFinished } from "vitest";
import type { ScriptedStep } from "../../../src/capabilities/agents/models/scripted-model.ts";
import type { PromptCommands } from "../../../src/faces/acp/read-prompt.ts";
import { serveAcp } from "../../../src/faces/acp/serve-acp.ts";
import type { RuntimeOptions } from "../../../src/index.ts";
import { openRuntimeAt } from "../../../src/open-runtime.ts";
import { nowhere, temporaryFolder, testPolicyPlaces } from "../../support/open-test-session.ts";

export interface TestEditor {
  readonly agent: acp.ClientContext;
  readonly workspace: string;
  /** Everything that the editor was told, in order. */
  readonly updates: acp.SessionUpdate[];
  readonly asked: acp.RequestPermissionRequest[];
  /** Writes a line as it is, past the SDK. */
  sendRaw(text: string): void;
  /** What the server wrote, as text. */
  received(): string;
  /** Ends the input, as an editor that quits does. */
  quit(): Promise<void>;
}

interface EditorOptions {
  readonly steps: readonly ScriptedStep[];
  readonly options?: RuntimeOptions;
  answer?(request: acp.RequestPermissionRequest): string | undefined;
  /** Fills in a form; an editor without it shows none. */
  fill?(form: acp.CreateElicitationRequest): acp.CreateElicitationResponse;
  readonly commands?: PromptCommands;
  readonly models?: readonly string[];
}

/** An editor by the protocol's own SDK, and our server at the other end of two pipes. */
export async function openEditor({
  steps,
  options,
  answer,
  fill,
  commands,
  models = [],
}: EditorOptions): Promise<TestEditor> {
  const workspace = await temporaryFolder();
  const script = join(await temporaryFolder(), "script.json");
  await writeFile(script, JSON.stringify(steps));
  const [toServer, toEditor] = [new PassThrough(), new PassThrough()];
  let text = "";
  toEditor.on("data", (chunk) => {
    text += String(chunk);
  });
  const stop = new AbortController();
  const serving = serveAcp({
    version: "1.2.3",
    agentOptions: { model: `scripted/${script}` },
    checkModel: async (model) => {
      if (model.startsWith("missing/")) throw new Error(`${model} needs a package`);
    },
    listModels: async () => models,
    ...(commands && { findCommands: async () => commands }),
    openRuntime: (cwd, mcpServers) =>
      openRuntimeAt(testPolicyPlaces(nowhere), {
        store: "memory:",
        mcpServers,
        ...options,
        workspace: cwd,
      }),
    signal: stop.signal,
    input: toServer,
    output: toEditor,
  });
  const updates: acp.SessionUpdate[] = [];
  const asked: acp.RequestPermissionRequest[] = [];
  const connection = acp
    .client({ name: "test" })
    .onNotification("session/update", ({ params: { update } }) => {
      updates.push(update);
    })
    .onRequest("session/request_permission", ({ params }) => {
      asked.push(params);
      const optionId = answer?.(params);
      if (optionId === undefined) return { outcome: { outcome: "cancelled" } };
      return { outcome: { outcome: "selected", optionId } };
    })
    .onRequest("elicitation/create", ({ params }) => fill?.(params) ?? { action: "cancel" })
    .connect(
      acp.ndJsonStream(
        Writable.toWeb(toServer) as WritableStream<Uint8Array>,
        Readable.toWeb(toEditor.pipe(new PassThrough())) as ReadableStream<Uint8Array>,
      ),
    );
  onTestFinished(async () => {
    stop.abort();
    connection.close();
    await serving;
  });
  const { agent } = connection;
  await agent.request("initialize", {
    protocolVersion: acp.PROTOCOL_VERSION,
    clientInfo: { name: "test-editor", version: "0" },
    ...(fill && { clientCapabilities: { elicitation: { form: {} } } }),
  });
  return {
    agent,
    workspace,
    updates,
    asked,
    sendRaw: (line) => void toServer.write(line),
    received: () => text,
    async quit() {
      toServer.end();
      await serving;
    },
  };
}
