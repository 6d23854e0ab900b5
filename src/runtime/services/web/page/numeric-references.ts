import { hideMarkup } from "./literal-text.ts";

/**
 * Replaces named character references such as `&hellip;` by numbers, because the converter knows only the most common
 * of the 2,231 names. The page means the same afterwards.
 */
export async function numericReferences(html: string): Promise<string> {
  const { decodeHTMLStrict } = await import("entities");
  return html.replace(references, (reference) => {
    const characters = decodeHTMLStrict(reference);
    // Unescaped here, or the converter would put a backslash between `&` and the name of a reference that is only quoted.
    if (characters === "&") return hideMarkup(characters);
    if (characters === reference) return reference;
    return [...characters].map((character) => `&#${character.codePointAt(0)};`).join("");
  });
}

const references = /&(?:[A-Za-z][A-Za-z0-9]{1,31}|#0{0,9}38|#[xX]0{0,9}26);/g;
