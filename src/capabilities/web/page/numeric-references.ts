import { hideMarkup } from "./literal-text.ts";

/**
 * Replaces named character references such as `&hellip;` by numbers, because the converter knows only the most common
 * of the 2,231 names. The page means the same afterwards.
 */
export async function numericReferences(html: string): Promise<string> {
  const { decodeHTMLStrict } = await loadReferences();
  return html.replace(references, (reference) => {
    const characters = decodeHTMLStrict(reference);
    // Unescaped here, or the converter would put a backslash between `&` and the name of a reference that is only quoted.
    if (characters === "&") return hideMarkup(characters);
    if (characters === reference) return reference;
    return [...characters].map((character) => `&#${character.codePointAt(0)};`).join("");
  });
}

/** A text that is not HTML, but has its character references. */
export async function decodeReferences(text: string): Promise<string> {
  return text.includes("&") ? (await loadReferences()).decodeHTMLStrict(text) : text;
}

function loadReferences(): Promise<typeof import("entities")> {
  return import("entities");
}

const references = /&(?:[A-Za-z][A-Za-z0-9]{1,31}|#0{0,9}38|#[xX]0{0,9}26);/g;
