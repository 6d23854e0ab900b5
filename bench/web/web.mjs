import { htmlToMarkdown as mdream } from "@mdream/js";
import { htmlToMarkdown } from "../../src/capabilities/web/page/html-to-markdown.ts";
import { bar } from "../support/bar.mjs";
import { importPeer } from "../support/import-peer.mjs";
import { measureRounds } from "../support/measure-rounds.mjs";
import { makePage } from "./make-page.mjs";

const url = "https://example.com/manual";
const sizes = {
  full: [
    { page: "short", sections: 10, rounds: 30 },
    { page: "long", sections: 200, rounds: 5 },
  ],
  smallest: [{ page: "short", sections: 1, rounds: 1 }],
};

/** Making a page readable, compared with libraries that only convert it. */
export default async function measureWeb({ size, leaveOut }) {
  const tables = [];
  const bars = [];
  const peers = await openPeers(leaveOut);
  for (const { page, sections, rounds } of sizes[size]) {
    const html = makePage({ sections });
    const candidates = candidatesFor(html, peers);
    for (const candidate of candidates) await check(candidate, sections);
    const measured = await measureRounds(candidates, { size, rounds, roundMs: 30, warmUpMs: 200 });
    tables.push({
      title: `A ${page} page of ${Math.round(html.length / 1000)} kB as Markdown`,
      rows: [...measured].map(([name, summary]) => ({ name, unit: "µs", ...summary })),
    });
    const best = (name) => measured.get(name).best;
    for (const peer of peers.keys())
      bars.push(bar(`${page} page, to ${peer}`, { value: best("Toolwright") / best(peer), limit: 1 }));
    bars.push(bar(`${page} page, to mdream alone`, { value: best("Toolwright") / best("mdream"), limit: 2 }));
  }
  return { tables, bars };
}

async function openPeers(leaveOut) {
  const converters = new Map();
  const turndown = await importPeer("turndown", leaveOut);
  if (turndown) {
    const service = new turndown.default();
    converters.set("turndown", (html) => service.turndown(html));
  }
  const nodeHtmlMarkdown = await importPeer("node-html-markdown", leaveOut);
  if (nodeHtmlMarkdown) {
    const converter = new nodeHtmlMarkdown.NodeHtmlMarkdown();
    converters.set("node-html-markdown", (html) => converter.translate(html));
  }
  return converters;
}

function candidatesFor(html, peers) {
  const converts = [
    ["Toolwright", async () => (await htmlToMarkdown({ html, url })).markdown],
    ["mdream", () => mdream(html)],
    ...[...peers].map(([name, convert]) => [name, () => convert(html)]),
  ];
  return converts.map(([name, run]) => ({ name, run, operations: 1 }));
}

async function check({ name, run }, sections) {
  const markdown = await run();
  const last = `Part ${sections - 1}`;
  if (!markdown.includes(last) || !markdown.includes(`[part ${sections - 1}]`))
    throw new Error(`${name} lost the text of ${last}`);
}
