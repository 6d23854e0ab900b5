import { htmlToMarkdown as mdream } from "@mdream/js";
import { NodeHtmlMarkdown } from "node-html-markdown";
import Turndown from "turndown";
import { htmlToMarkdown } from "../../src/capabilities/web/page/html-to-markdown.ts";
import { bar } from "../support/bar.mjs";
import { measureRounds } from "../support/measure-rounds.mjs";
import { makePage } from "./make-page.mjs";

const url = "https://example.com/manual";
const sizes = [
  { size: "short", sections: 10, rounds: 30 },
  { size: "long", sections: 200, rounds: 5 },
];

/** Making a page readable, compared with libraries that only convert it. */
export default async function measureWeb() {
  const tables = [];
  const bars = [];
  for (const { size, sections, rounds } of sizes) {
    const html = makePage({ sections });
    const candidates = candidatesFor(html);
    for (const candidate of candidates) await check(candidate, sections);
    const measured = await measureRounds(candidates, { rounds, roundMs: 30, warmUpMs: 200 });
    tables.push({
      title: `A ${size} page of ${Math.round(html.length / 1000)} kB as Markdown`,
      rows: [...measured].map(([name, summary]) => ({ name, unit: "µs", ...summary })),
    });
    const best = (name) => measured.get(name).best;
    for (const peer of ["turndown", "node-html-markdown"])
      bars.push(bar(`${size} page, to ${peer}`, { value: best("Toolwright") / best(peer), limit: 1 }));
    bars.push(bar(`${size} page, to mdream alone`, { value: best("Toolwright") / best("mdream"), limit: 2 }));
  }
  return { tables, bars };
}

function candidatesFor(html) {
  const turndown = new Turndown();
  const converter = new NodeHtmlMarkdown();
  const converts = {
    Toolwright: async () => (await htmlToMarkdown({ html, url })).markdown,
    mdream: () => mdream(html),
    turndown: () => turndown.turndown(html),
    "node-html-markdown": () => converter.translate(html),
  };
  return Object.entries(converts).map(([name, run]) => ({ name, run, operations: 1 }));
}

async function check({ name, run }, sections) {
  const markdown = await run();
  const last = `Part ${sections - 1}`;
  if (!markdown.includes(last) || !markdown.includes(`[part ${sections - 1}]`))
    throw new Error(`${name} lost the text of ${last}`);
}
