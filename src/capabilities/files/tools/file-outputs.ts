import {
  aCount,
  aFlag,
  arrayOf,
  aText,
  eitherOf,
  objectOf,
  sizeBytes,
  texts,
} from "../../../tool/builtin/schema-parts.ts";

const shownLines = {
  path: aText,
  offset: aCount,
  limit: aCount,
  lines: aCount,
  truncated: aFlag,
  content: aText,
};
const ofShownLines = {
  column: aCount,
  totalLines: aCount,
  cutLines: arrayOf(objectOf({ line: aCount, cutCharacters: aCount })),
};
const cellIndex = { ...aCount, description: "Counted from 0" };

const preparedImage = { mimeType: aText, width: aCount, height: aCount, notes: texts };

export const readResult = eitherOf(
  objectOf({ kind: { const: "text" }, ...shownLines }, ofShownLines),
  objectOf(
    {
      kind: { const: "notebook" },
      ...shownLines,
      cells: aCount,
      images: aCount,
      shownImages: arrayOf(objectOf({ cell: cellIndex, ...preparedImage })),
    },
    { ...ofShownLines, firstCell: cellIndex, lastCell: cellIndex },
  ),
  objectOf({ kind: { const: "document" }, path: aText, mediaType: aText, sizeBytes }),
  objectOf({ kind: { const: "image" }, path: aText, ...preparedImage }),
);

const written = {
  path: { ...aText, description: "Relative to the workspace if the file is inside, otherwise absolute" },
  created: aFlag,
  sizeBytes,
  hash: { ...aText, description: "SHA-256 of the new content" },
  wasUnread: { ...aFlag, description: "It existed and had not been read in this session" },
};
const diff = { ...aText, description: "A short unified diff" };

export const writtenFile = objectOf(written, { diff });

const edited = {
  ...written,
  characters: { ...aCount, description: "Length of the new text" },
  replacements: aCount,
  lines: { ...arrayOf(aCount), description: "The line of each replacement in the new text" },
  matchedBy: {
    ...aText,
    enum: ["exact", "line-endings", "trailing-space", "indentation", "punctuation", "blank-lines"],
    description: "How exactly the old text was found",
  },
};

export const editedFile = objectOf(edited, { diff });

export const editedNotebook = objectOf(
  {
    ...written,
    mode: { enum: ["replace", "insert", "delete"] },
    changed: { ...aFlag, description: "False if the cell already was as asked for" },
    index: { ...cellIndex, description: "Where the cell is, or was before it was deleted; counted from 0" },
    type: { ...aText, description: "The cell's type" },
    cells: { ...aCount, description: "How many cells there are now" },
    clearedOutputs: aFlag,
  },
  { id: { ...aText, description: "The cell's id" }, diff },
);

export const editResults = objectOf({
  results: arrayOf(objectOf({ ...edited, status: { enum: ["ok"] } }, { diff })),
});

export const patchedFiles = objectOf({
  files: arrayOf(
    objectOf(
      { path: aText, kind: { enum: ["add", "update", "delete"] } },
      { movedTo: aText, matchedBy: aText, diff },
    ),
  ),
});
