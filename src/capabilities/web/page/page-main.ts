import { answerTasks } from "../../../machine/child/index.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { htmlToMarkdown } from "./html-to-markdown.ts";

/** The main program of the thread that converts one page. */
answerTasks(convertPage);

export type PageTask =
  | { readonly kind: "html"; readonly html: string; readonly url: string }
  | { readonly kind: "pdf"; readonly bytes: Uint8Array; readonly url: string };

export interface ConvertedPage {
  readonly title: string | undefined;
  readonly markdown: string;
}

/** Throws a ToolError for a page that its parser refuses. */
async function convertPage(task: PageTask): Promise<ConvertedPage> {
  try {
    return task.kind === "html" ? await htmlToMarkdown(task) : await pdfToMarkdown(task.bytes);
  } catch (error) {
    throw new ToolError("unavailable", error instanceof Error ? error.message : String(error));
  }
}

/** The text of a PDF, page after page, by the package unpdf (the parser of PDF.js without its viewer). */
async function pdfToMarkdown(bytes: Uint8Array): Promise<ConvertedPage> {
  const unpdf = await loadUnpdf();
  const document = await unpdf.getDocumentProxy(new Uint8Array(bytes), {
    // XFA forms are programs, which hold no text to read.
    enableXfa: false,
    stopAtErrors: false,
    verbosity: 0,
  });
  const { text } = await unpdf.extractText(document, { mergePages: false });
  const { info } = await unpdf.getMeta(document);
  const title = typeof info.Title === "string" && info.Title !== "" ? info.Title : undefined;
  const pages = text.map((page, index) => (text.length === 1 ? page : `## Page ${index + 1}\n\n${page}`));
  return { title, markdown: pages.join("\n\n") };
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
