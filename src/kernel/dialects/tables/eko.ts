import type { Dialect } from "../dialect.ts";

/** Eko's file agent, and its ways of asking a person. */
export const eko: Dialect = {
  name: "eko",
  pathPolicy: "any",
  output: { maxCharacters: 20_000, headShare: 0.8 },
  tools: {
    file_list: { name: "file_list", params: { recursive: null } },
    file_read: { name: "file_read", params: { encoding: null } },
    file_write: { name: "file_write", params: { encoding: null } },
    file_edit: {
      name: "file_str_replace",
      params: {
        old_string: { name: "old_str" },
        new_string: { name: "new_str" },
        replace_all: null,
        encoding: null,
      },
    },
    search_glob: { name: "file_find_by_name", params: { pattern: { name: "glob" }, include_ignored: null } },
    user_ask: { name: "human_interact", params: { question: { name: "prompt" } } },
  },
};
