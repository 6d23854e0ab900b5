import { expect, test } from "vitest";
import { createCli } from "../../faces/cli/run-cli.ts";
import { sendHostileRequests } from "../../faces/mcp-server/hostile-requests.ts";
import { fuzzRuns, seededRandom } from "../../support/fuzz.ts";
import { serve } from "./serve-cli.ts";

test("`toolwright serve` goes on answering, whatever is sent to it", async () => {
  const { url, token } = await serve(await createCli(), ["--mode", "readonly"]);
  const port = Number(new URL(url).port);
  const total = fuzzRuns({ sample: 120, full: 100_000 });
  await sendHostileRequests({ port, token }, { random: seededRandom(), total });
  const health = await fetch(`http://127.0.0.1:${port}/health`);
  expect(health.status).toBe(200);
}, 3_600_000);
