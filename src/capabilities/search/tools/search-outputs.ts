import {
  aCount,
  aFlag,
  arrayOf,
  aText,
  aTime,
  eitherOf,
  objectOf,
  sizeBytes,
  texts,
} from "../../../tool/builtin/schema-parts.ts";

export const foundFiles = objectOf(
  {
    pattern: aText,
    path: aText,
    matches: arrayOf(objectOf({ path: aText }, { size: sizeBytes, mtime: aTime })),
    total: { ...aCount, description: "Matching files, over all pages" },
    truncated: aFlag,
  },
  {
    offset: aCount,
    leftOut: { ...aCount, description: "Files that may hold secrets or may not be read" },
    unreadable: { ...aCount, description: "Paths that could not be read" },
    near: {
      ...objectOf({ ignored: aCount, below: aCount }),
      description: "Files that the pattern may have meant",
    },
  },
);

const page = {
  pattern: aText,
  path: aText,
  offset: aCount,
  total: { ...aCount, description: "Lines of output, over all pages" },
  truncated: aFlag,
  capped: { ...aFlag, description: "There were more results than are ever collected" },
};
const filters = { glob: aText, type: aText, unreadable: aCount };

const foundLine = objectOf({
  path: aText,
  line: aCount,
  kind: { enum: ["match", "context"] },
  text: aText,
  matches: { ...arrayOf(arrayOf(aCount)), description: "Ranges of the text that match, from and to" },
  cutBefore: aCount,
  cutAfter: aCount,
});

export const foundMatches = eitherOf(
  objectOf(
    { mode: { const: "content" }, matches: arrayOf(foundLine), ...page },
    { context: arrayOf(foundLine), overlong: aCount, ...filters },
  ),
  objectOf({ mode: { const: "files_with_matches" }, files: texts, ...page }, filters),
  objectOf(
    {
      mode: { const: "count" },
      counts: arrayOf(objectOf({ path: aText, matches: aCount })),
      totalMatches: aCount,
      ...page,
    },
    filters,
  ),
);
