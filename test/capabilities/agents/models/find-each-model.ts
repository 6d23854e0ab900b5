import { scriptedModel } from "../../../../src/capabilities/agents/index.ts";
import { findModel } from "../../../../src/capabilities/agents/models/find-model.ts";
import { openRuntime } from "../../../../src/index.ts";

const environment = { ANTHROPIC_API_KEY: "x", OPENAI_API_KEY: "x", GEMINI_API_KEY: "x" };

for (const name of ["anthropic/x", "openai/x", "google/x"]) {
  await findModel(name, { environment }).catch(({ message }: Error) => console.log(message));
}
const runtime = await openRuntime({ store: "memory:" });
const { text } = await runtime.agent({ model: scriptedModel([{ text: "hello" }]) }).run("hi");
console.log(`a scripted model says ${text}`);
await runtime.close();
