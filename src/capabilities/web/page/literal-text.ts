/**
 * The converter puts backslashes before characters that mean something in Markdown. A model reads `file\_read` as
 * another name than `file_read`, so such characters are carried past the converter as code points that no text may hold.
 */
export function hideMarkup(text: string): string {
  return text.replace(markup, (character) =>
    String.fromCharCode(firstStandIn + characters.indexOf(character)),
  );
}

export function showMarkup(markdown: string): string {
  return markdown.replace(standIns, (standIn) => characters[standIn.charCodeAt(0) - firstStandIn] ?? "");
}

/** Removes the code points from the page itself, so that only this converter puts them there. */
export function withoutStandIns(html: string): string {
  return html.replace(standIns, "");
}

const characters = "\\`*_[]<>&~";
const markup = /[\\`*_[\]<>&~]/g;

// Unicode keeps U+FDD0 to U+FDEF for internal use.
const firstStandIn = 0xfdd0;
const standIns = /[\ufdd0-\ufdef]/g;
