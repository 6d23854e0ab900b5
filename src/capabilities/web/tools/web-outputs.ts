import {
  aCount,
  aFlag,
  arrayOf,
  aText,
  aTime,
  eitherOf,
  objectOf,
} from "../../../tool/builtin/schema-parts.ts";

export const webPage = eitherOf(
  objectOf(
    {
      kind: { enum: ["markdown", "text", "json", "image"] },
      url: aText,
      contentType: aText,
      fetchedAt: aTime,
      content: aText,
      offset: aCount,
      passages: aCount,
      totalPassages: aCount,
      isSelection: aFlag,
      isCut: aFlag,
    },
    { title: aText, isUnanswered: aFlag, nextOffset: aCount },
  ),
  objectOf({ kind: { const: "redirect" }, url: aText, redirect: aText }),
  objectOf({ kind: { const: "image" }, url: aText, contentType: aText, mimeType: aText }),
);

export const webResults = objectOf({
  query: aText,
  results: arrayOf(objectOf({ title: aText, url: aText, snippet: aText }, { date: aText })),
});

export const webResponse = objectOf(
  {
    url: aText,
    status: aCount,
    contentType: aText,
    headers: { type: "object", additionalProperties: aText },
    body: aText,
    isCut: aFlag,
  },
  { redirect: aText },
);

export const downloadedFile = objectOf(
  { url: aText, path: aText, contentType: aText, sizeBytes: aCount, hash: aText, created: aFlag },
  { resumedAt: aCount },
);
