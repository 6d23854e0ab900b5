import { isPlainObject } from "../../../shared/json.ts";
import { describeThrown } from "../../../shared/text/describe-thrown.ts";
import { oneLine } from "../../../shared/text/one-line.ts";
import { providers } from "./providers.ts";

/** The models of the Ollama server on this machine, or of another server with OpenAI's API; no key is sent. */
export async function listLocalModels(baseUrl?: string) {
  const url = (baseUrl ?? providers.get("ollama")?.baseUrl ?? "").replace(/\/$/, "");
  try {
    const response = await fetch(`${url}/models`, { signal: AbortSignal.timeout(maxMs), redirect: "error" });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    const answer: unknown = JSON.parse(await readText(response));
    const list = isPlainObject(answer) && Array.isArray(answer.data) ? answer.data : [];
    const names = list.flatMap((each: unknown) =>
      isPlainObject(each) && typeof each.id === "string" ? [oneLine(each.id, 200)] : [],
    );
    const prefix = baseUrl === undefined ? "ollama/" : "openai-compatible/";
    return { url, prefix, models: names.slice(0, maxModels) };
  } catch (error) {
    const { cause } = error as { cause?: { code?: unknown } };
    const code = typeof cause?.code === "string" ? ` (${cause.code})` : "";
    return { url, problem: `${oneLine(describeThrown(error), 200)}${code}` };
  }
}

const maxMs = 2000;
const maxModels = 200;
const maxBytes = 1024 * 1024;

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new Error("the answer is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
