import { expect } from "vitest";
import { type Cli, createCli, parseLines } from "../../faces/cli/run-cli.ts";
import { type ServedStep, startModelServer } from "../../support/model-server/start-model-server.ts";
import { needs } from "../../support/needs.ts";

const slugTool = (separator: string) => ({
  name: "slug_of",
  description: "Turn a title into a slug.",
  input: { type: "object", properties: { title: { type: "string" } }, required: ["title"] },
  language: "typescript",
  code: `export default ({ title }: { title: string }) =>\n  title.toLowerCase().replaceAll(" ", "${separator}");`,
  examples: [{ input: { title: "New Pens" }, output: `new${separator}pens` }],
});

/** A step of the agent, after what a person has done meanwhile. */
type Turn = ServedStep | (() => Promise<ServedStep>);

/** Lets an agent in a process of its own take these steps; gives what it was offered and has read at each. */
async function runAgent(cli: Cli, turns: readonly Turn[]) {
  const server = await startModelServer((_request, count) => {
    const turn = turns[count - 1];
    return typeof turn === "function" ? turn() : turn;
  });
  const model = ["--model", "any", "--base-url", server.url, "--session", "maker"];
  const { stdout, stderr } = await cli(["run", "slugs, please", ...model], { ownProcess: true });
  expect([stdout, stderr.includes("failed")]).toEqual(["Done.\n", false]);
  const offered = server.requests.map(({ body }) =>
    body.tools.some((tool: { function: { name: string } }) => tool.function.name === "slug_of"),
  );
  const read: string[] = server.requests.slice(1).map(({ body }) => body.messages.at(-1).content);
  return { offered, read };
}

/** What a person does in another process: looks at what waits, and approves it by the id that is shown. */
async function approve(cli: Cli): Promise<string> {
  const { stdout: shown } = await cli(["approvals"]);
  const id = /^tool:slug_of@[0-9a-f]{32}/m.exec(shown)?.[0];
  expect(await cli(["approve", id!, "--yes"])).toMatchObject({ exitCode: 0 });
  return shown;
}

const testInside = await needs("bubblewrap");

testInside(
  "F73: an agent makes a tool, has it approved in another process, uses it, also after a restart, and replaces it",
  async () => {
    const cli = await createCli();
    const shown: string[] = [];
    const call = (title: string): ServedStep => ({ calls: [{ name: "slug_of", input: { title } }] });
    const create = (separator: string) => ({ calls: [{ name: "tool_create", input: slugTool(separator) }] });
    const search = { calls: [{ name: "ToolSearch", input: { query: "slug from a title" } }] };
    const afterApproval = (step: ServedStep) => async () => {
      shown.push(await approve(cli));
      return step;
    };

    const first = await runAgent(cli, [
      create("-"),
      call("Too Early"),
      afterApproval(search),
      call("Red Ink"),
      { text: "Done." },
    ]);
    expect(first.read[0]).toContain("waits for approval");
    expect(first.read[1]).toContain("slug_of");
    expect(first.read[2]).toContain("- slug_of: Turn a title into a slug.");
    expect(first.read[3]).toBe("red-ink");
    expect(first.offered).toEqual([false, false, false, true, true]);
    expect(shown[0]).toContain("title.toLowerCase()");

    const second = await runAgent(cli, [
      call("Blue Ink"),
      create("_"),
      call("Still Old"),
      afterApproval(call("Black Ink")),
      { text: "Done." },
    ]);
    expect(second.read.toSpliced(1, 1)).toEqual(["blue-ink", "still-old", "black_ink"]);
    expect(second.offered[0]).toBe(true);
    // Only what changes, not the whole tool once more.
    expect(shown[1]).toMatch(/^ +\| -.*"-.*\n +\| \+.*"_/m);

    const { stdout } = await cli(["log", "--session", "maker", "--json"]);
    const logged = parseLines(stdout).reverse();
    expect(logged.map(({ tool, status }) => `${tool} ${status}`)).toEqual([
      "tool_create done",
      "slug_of failed",
      "tool_search done",
      "slug_of done",
      "slug_of done",
      "tool_create done",
      "slug_of done",
      "slug_of done",
    ]);
  },
);
