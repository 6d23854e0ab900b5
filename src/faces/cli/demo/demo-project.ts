import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A project with a bug, a test that shows it, and a file that must not be read. */
const files: Readonly<Record<string, string>> = {
  "total.mjs": `export function total(prices) {
  let sum = 0;
  for (let index = 1; index < prices.length; index++) sum += prices[index];
  return sum;
}
`,
  "total.test.mjs": `import assert from "node:assert";
import { total } from "./total.mjs";

assert.strictEqual(total([3, 4, 5]), 12);
console.log("the test passes");
`,
  ".env": "API_KEY=only-an-example\n",
};

export async function withDemoProject<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const base = await realpath(await mkdtemp(join(tmpdir(), "toolwright-demo-")));
  try {
    const folder = join(base, "project");
    await mkdir(folder);
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
    return await work(folder);
  } finally {
    await rm(base, { recursive: true, force: true, maxRetries: 5 });
  }
}
