export interface MediaType {
  /** In lower case, without parameters; empty if the server named none. */
  readonly name: string;
  readonly charset: string | undefined;
  /** Whether the type promises text. */
  readonly isText: boolean;
  readonly isJson: boolean;
}

/** Reads a `Content-Type` header. What makes no sense counts as missing. */
export function parseMediaType(header: string | undefined): MediaType {
  const [, name = ""] = /^\s{0,20}([\w.+-]{1,100}\/[\w.+-]{1,100})\s{0,20}(?:;|$)/.exec(header ?? "") ?? [];
  const [, charset] = /;\s{0,20}charset\s{0,20}=\s{0,20}"?([\w.:+-]{1,40})/i.exec(header ?? "") ?? [];
  const type = name.toLowerCase();
  const isJson = /^(?:application|text)\/(?:json|[\w.-]+\+json)$/.test(type);
  return { name: type, charset, isText: isJson || textTypes.test(type), isJson };
}

const textTypes =
  /^(?:text\/.+|.+\+xml|application\/(?:xml|xhtml|javascript|ecmascript|typescript|yaml|x-yaml|toml|sql|graphql|x-sh|x-ndjson|jsonl|rtf|x-www-form-urlencoded))$/;
