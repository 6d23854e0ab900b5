import { htmlToMarkdown } from "./html-to-markdown.ts";
import { pdfToText } from "./pdf-to-text.ts";

export type PageTask =
  | { readonly kind: "html"; readonly html: string; readonly url: string }
  | { readonly kind: "pdf"; readonly bytes: Uint8Array; readonly url: string };

interface ConvertedHtml {
  readonly title: string | undefined;
  readonly markdown: string;
}

interface ConvertedPdf {
  readonly title: string | undefined;
  readonly text: string;
}

export type ConvertedPage<Task extends PageTask> = Task["kind"] extends "html" ? ConvertedHtml : ConvertedPdf;

export type ThreadAnswer = { readonly page: ConvertedHtml | ConvertedPdf } | { readonly failure: string };

export async function convertPage(task: PageTask): Promise<ThreadAnswer> {
  try {
    return { page: task.kind === "html" ? await htmlToMarkdown(task) : await pdfToText(task.bytes) };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}
