import { showMarkup, withoutStandIns } from "./literal-text.ts";
import { numericReferences } from "./numeric-references.ts";
import { createPageFilter, type PageScope } from "./page-filter.ts";

/**
 * Converts a page's main content to Markdown: the element that the page marks as its main content if that holds enough
 * text, otherwise everything but navigation and the like, and if that is next to nothing, the whole page.
 */
export async function htmlToMarkdown({ html, url }: { html: string; url: string }) {
  const { htmlToMarkdown: convert } = await import("@mdream/js");
  const source = await numericReferences(withoutStandIns(html));
  const render = (scope: PageScope) => {
    const filter = createPageFilter({ url, scope });
    const markdown = convert(source, { hooks: [filter.hooks], plugins: { tagOverrides } });
    return {
      markdown: showMarkup(markdown).replaceAll("\u00a0", " ").trim(),
      title: filter.title(),
      scopes: filter.scopes,
    };
  };
  // Most pages that mark their main content are converted once: its title is the same in every scope.
  const main = mayHaveMain.test(source) ? render("main") : undefined;
  if (main !== undefined && main.markdown.length >= minContentLength)
    return { title: main.title, markdown: main.markdown };
  const body = render("body");
  const { title } = body;
  const articles = body.scopes.has("article") ? render("article").markdown : "";
  if (articles !== "" && articles.length >= body.markdown.length / 2) return { title, markdown: articles };
  if (body.markdown.length >= minContentLength) return { title, markdown: body.markdown };
  const everything = render("everything").markdown;
  return { title, markdown: body.markdown === "" ? everything : body.markdown };
}

const mayHaveMain = /<main\b|\brole\b[^>]{0,20}\bmain\b/i;

/** A page with fewer characters is a shell that scripts would fill, or has one line. */
const minContentLength = 200;

// The converter would keep these elements as HTML, which says nothing more to a reader.
const tagOverrides = { dl: "div", dt: "p", dd: "p", details: "div", summary: "p", sub: "span", sup: "span" };
