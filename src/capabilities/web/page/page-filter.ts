import type { ElementNode, NodeEvent, TextNode, TransformPlugin } from "@mdream/js";
import { hideMarkup, showMarkup } from "./literal-text.ts";

/** How much of a page is converted: a `main` element, its articles, all but navigation and the like, or everything. */
export type PageScope = "main" | "article" | "body" | "everything";

/** Leaves out what a reader would not see, makes links absolute, and limits how deep formatting can be nested. */
export function createPageFilter({ url, scope }: { url: string; scope: PageScope }) {
  const places = new WeakMap<ElementNode, Place>();
  /** The scopes that the page marks. */
  const scopes = new Set<PageScope>();
  const titles: string[] = [];
  let base = url;
  let hasBase = false;

  const placeOf = (element: ElementNode): Place => {
    const known = places.get(element);
    if (known !== undefined) return known;
    const parent = element.parent == null ? outside(scope) : placeOf(element.parent);
    const place = placeIn(parent, element, scope);
    places.set(element, place);
    if (place.isDropped) return place;
    const marked = scopeOf(element);
    if (marked !== undefined) scopes.add(marked);
    return place;
  };

  const enter = (element: ElementNode) => {
    if (isTooDeep(placeOf(element), element)) Object.assign(element, { tagHandler: undefined });
    if (element.name === "meta" && /^og:title$/i.test(element.attributes.property ?? "")) {
      titles.push(element.attributes.content ?? "");
    }
    if (element.name === "base" && !hasBase) {
      const found = resolveLink(element.attributes.href, url);
      hasBase = found !== undefined;
      base = found ?? base;
    }
    if (element.name === "a") setAttribute(element, "href", resolveLink(element.attributes.href, base));
    if (element.name === "img") setAttribute(element, "src", resolveLink(element.attributes.src, base));
  };

  const hooks: TransformPlugin = {
    excludesOverflowSubtree: (element) => placeOf(element).isDropped,
    processAttributes: enter,
    beforeNodeProcess({ node }: NodeEvent) {
      const element = isElement(node) ? node : node.parent;
      const place = element == null ? outside(scope) : placeOf(element);
      if (place.isDropped) return skip;
      if (element?.name === "title") {
        // The document's title comes before that of its preview.
        if (isText(node)) titles.unshift(node.value);
        return skip;
      }
      if (!place.isInside) return skip;
      if (isText(node) && !place.isCode) node.value = hideMarkup(node.value);
      return undefined;
    },
    // An image without an address that can be fetched still has words.
    onNodeEnter: ({ name, attributes }) =>
      name === "img" && attributes.src === undefined ? attributes.alt : undefined,
  };
  return { hooks, scopes, title: () => titles.map(showMarkup).find((title) => title.trim() !== "") };
}

const skip = { skip: true };

interface Place {
  readonly isDropped: boolean;
  /** The element is in the part of the page that is converted. */
  readonly isInside: boolean;
  /** The element is in an article or the main content, where a footer or an aside belongs to the text. */
  readonly isContent: boolean;
  readonly isCode: boolean;
  /** How many elements of the same name this one is nested in, counting itself. */
  readonly nesting: ReadonlyMap<string, number>;
}

function outside(scope: PageScope): Place {
  const isInside = scope === "body" || scope === "everything";
  return { isDropped: false, isInside, isContent: false, isCode: false, nesting: new Map() };
}

function placeIn(parent: Place, element: ElementNode, scope: PageScope): Place {
  const marked = scopeOf(element);
  const isContent = parent.isContent || marked !== undefined;
  return {
    isDropped:
      parent.isDropped || isUnread(element) || (scope !== "everything" && isChrome(element, isContent)),
    isInside: parent.isInside || marked === scope,
    isContent,
    isCode: parent.isCode || codeNames.has(element.name),
    nesting: countNesting(parent.nesting, element.name),
  };
}

const codeNames = new Set(["pre", "code", "kbd", "samp", "tt", "var"]);

function countNesting(nesting: ReadonlyMap<string, number>, name: string): ReadonlyMap<string, number> {
  if (!maxNesting.has(name)) return nesting;
  return new Map(nesting).set(name, (nesting.get(name) ?? 0) + 1);
}

/**
 * How deep elements may be nested. Deeper ones lose their formatting and keep their text: each level would cost time and
 * space for every line in it.
 */
const maxNesting: ReadonlyMap<string, number> = new Map([
  ...["blockquote", "ul", "ol", "table"].map((name) => [name, 8] as const),
  ..."b strong i em code kbd samp var tt del s strike ins u mark q cite small dfn a pre span"
    .split(" ")
    .map((name) => [name, 3] as const),
]);

function isTooDeep({ nesting }: Place, { name }: ElementNode): boolean {
  return (nesting.get(name) ?? 0) > (maxNesting.get(name) ?? Number.POSITIVE_INFINITY);
}

function scopeOf({ name, attributes }: ElementNode): "main" | "article" | undefined {
  if (name === "main" || attributes.role === "main") return "main";
  return name === "article" || attributes.role === "article" ? "article" : undefined;
}

const unreadNames = new Set(
  "script style template noscript iframe object embed applet canvas svg video audio map dialog datalist select button textarea input".split(
    " ",
  ),
);

function isUnread({ name, attributes }: ElementNode): boolean {
  if (unreadNames.has(name)) return true;
  if (attributes.hidden !== undefined || attributes["aria-hidden"]?.toLowerCase() === "true") return true;
  if (name === "img" && attributes.alt !== undefined && attributes.alt.trim() === "") return true;
  return hidingStyles.test(attributes.style ?? "");
}

const hidingStyles =
  /(?:^|[;\s])(?:display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden|font-size\s{0,9}:\s{0,9}0(?![.\d]))/i;

/** Parts of a page that are the same on every page of the site. */
function isChrome({ name, attributes }: ElementNode, isContent: boolean): boolean {
  if (name === "nav" || /^(?:navigation|search|menu|menubar)$/i.test(attributes.role ?? "")) return true;
  if (isContent) return false;
  return (
    name === "footer" ||
    name === "aside" ||
    /^(?:banner|contentinfo|complementary)$/i.test(attributes.role ?? "")
  );
}

/** An absolute address that can be fetched, or undefined: a link within the page, or one that runs a script, leads nowhere. */
function resolveLink(link: string | undefined, base: string): string | undefined {
  const trimmed = showMarkup(link ?? "").trim();
  if (trimmed === "" || trimmed.startsWith("#")) return undefined;
  const { href = "", protocol = "" } = URL.parse(trimmed, base) ?? {};
  return /^(?:https?|ftp|mailto):$/.test(protocol) ? href : undefined;
}

function setAttribute({ attributes }: ElementNode, name: string, value: string | undefined): void {
  if (value === undefined) delete attributes[name];
  else attributes[name] = value;
}

function isElement(node: NodeEvent["node"]): node is ElementNode {
  return "attributes" in node;
}

function isText(node: NodeEvent["node"]): node is TextNode {
  return "value" in node;
}
