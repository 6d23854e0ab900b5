import { escapeControls, escapeLine } from "../../../shared/text/escape-controls.ts";
import type { ConversationItem } from "./conversation-items.ts";

/** How a conversation is written: a heading, and each item. */
export interface ConversationFormat {
  readonly heading: (title: string) => string;
  readonly item: (item: ConversationItem) => string;
}

export const conversationFormats: Readonly<Record<"md" | "html", ConversationFormat>> = {
  md: {
    heading: (title) => `# ${title}\n`,
    item(item) {
      if (item.kind !== "call")
        return `\n## ${item.kind === "user" ? "You" : "Agent"}\n\n${quoted(item.text)}\n`;
      const { name, status, input, output } = item;
      return `\n### ${escapeLine(name)}: ${status}\n\n${fenced(input, "json")}\n${fenced(output)}`;
    },
  },
  html: {
    heading: (title) =>
      `<!doctype html>\n<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">\n<title>${toHtml(title)}</title>\n<style>${sheet}</style>\n<h1>${toHtml(title)}</h1>\n`,
    item(item) {
      if (item.kind !== "call")
        return `<section class="${item.kind}"><h2>${item.kind === "user" ? "You" : "Agent"}</h2><pre>${toHtml(item.text)}</pre></section>\n`;
      const { name, status, input, output } = item;
      return `<details><summary>${toHtml(name)}: ${status}</summary><pre>${toHtml(input)}</pre><pre>${toHtml(output)}</pre></details>\n`;
    },
  },
};

const sheet =
  "body{font:16px/1.5 system-ui;max-width:50rem;margin:2rem auto;padding:0 1rem}pre{white-space:pre-wrap;overflow-wrap:anywhere}.user{background:#8882;padding:.1rem 1rem}h2{font-size:1rem}";

/** As a quotation: Markdown still, but its headings are none of ours, and a fence that it leaves open ends with it. */
function quoted(text: string): string {
  const lines = escapeControls(text).trimEnd().split("\n");
  return lines.map((line) => `> ${line}`.trimEnd()).join("\n");
}

/** A fence that is longer than any in the text. */
function fenced(text: string, language = ""): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([marks]) => marks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${escapeControls(text).trimEnd()}\n${fence}\n`;
}

function toHtml(text: string): string {
  return escapeControls(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
