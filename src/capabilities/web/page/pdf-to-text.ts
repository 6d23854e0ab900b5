/** The text of a PDF, page after page, by the package unpdf (the parser of PDF.js without its viewer). */
export async function pdfToText(bytes: Uint8Array): Promise<{ title: string | undefined; text: string }> {
  const unpdf = await loadUnpdf();
  const document = await unpdf.getDocumentProxy(new Uint8Array(bytes), {
    // Forms that are programs of their own hold no text to read.
    enableXfa: false,
    stopAtErrors: false,
    verbosity: 0,
  });
  const { text } = await unpdf.extractText(document, { mergePages: false });
  const { info } = await unpdf.getMeta(document);
  const title = typeof info.Title === "string" && info.Title !== "" ? info.Title : undefined;
  const pages = text.map((page, index) => (text.length === 1 ? page : `## Page ${index + 1}\n\n${page}`));
  return { title, text: pages.join("\n\n") };
}

async function loadUnpdf(): Promise<typeof import("unpdf")> {
  try {
    return await import("unpdf");
  } catch {
    throw new Error(
      'reading its text needs the package unpdf, which is not installed. Install it with "npm install unpdf"',
    );
  }
}
