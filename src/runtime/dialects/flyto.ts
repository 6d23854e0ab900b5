import type { Dialect } from "./dialect.ts";

/** Flyto Agent Engine: capitalised names, absolute paths, lines counted from 0. */
export const flyto: Dialect = {
  name: "flyto",
  pathPolicy: "absolute",
  output: { maxCharacters: 30_000, headShare: 0.8 },
  tools: {
    file_read: {
      name: "Read",
      aliases: ["FileRead"],
      params: {
        path: { name: "file_path", description: "The absolute path of the file" },
        offset: { countsFrom: 0, description: "The line to start at, counted from 0" },
        limit: { default: 2000 },
      },
    },
  },
};
