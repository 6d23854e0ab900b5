import { codeSpan, fencedText } from "../../../../shared/markdown/fenced-text.ts";
import { escapeControls } from "../../../../shared/text/escape-controls.ts";
import type { ConversationItem } from "./conversation-items.ts";

/** A way to write a conversation: its heading, and each item. */
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
      return `\n### ${codeSpan(name)}: ${status}\n\n${fencedText(input, "json")}\n\n${fencedText(output.trimEnd())}\n`;
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

/**
 * Formats a text as a quotation. It stays Markdown, but its headings do not join ours, and a fence that it leaves open
 * ends with it. Markup that would load something, or act as a part of the page, is shown as it was written.
 */
function quoted(text: string): string {
  if (/!\[|<[a-z!?/]/i.test(text)) return fencedText(text.trimEnd());
  const lines = escapeControls(text).trimEnd().split("\n");
  return lines.map((line) => `> ${line}`.trimEnd()).join("\n");
}

function toHtml(text: string): string {
  return escapeControls(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
