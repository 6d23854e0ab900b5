/** Why a jq filter may use more than its input; undefined if it provably does not. */
export function findJqProblem(filter: string): string | undefined {
  const names = readNames(filter);
  if (typeof names === "string") return names;
  const own = new Set(names.defined);
  for (const name of names.used) {
    // Even if the filter defines such a name itself, the built-in may still be meant.
    if (dangerousNames.has(name)) return `jq ${name} uses more than its input`;
    if (!name.startsWith("$") && !names.keys.has(name) && !own.has(name) && !builtins.has(name))
      return `jq ${name} is not known to be harmless`;
  }
  return undefined;
}

const dangerousNames: ReadonlySet<string> = new Set(
  "env $ENV getenv import include modulemeta get_search_list $__prog_args $__prog_name".split(" "),
);

interface Names {
  readonly used: readonly string[];
  /** Names in the shorthand `{name}` for `{name: .name}`. */
  readonly keys: ReadonlySet<string>;
  /** Functions and their parameters. */
  readonly defined: readonly string[];
}

/** Every name outside strings, field accesses and comments; names in `\(…)` inside a string count too. */
function readNames(filter: string): Names | string {
  const used: string[] = [];
  const defined: string[] = [];
  const keys = new Set<string>();
  // Number of open parentheses in each enclosing `\(`.
  const interpolations: number[] = [];
  // The brackets that are open, and the sign or name before.
  const open: string[] = [];
  let previous = "";
  let at = 0;
  while (at < filter.length) {
    const character = filter[at]!;
    if (character === '"') {
      const end = readText(at + 1);
      if (end === undefined) return "jq: a string is not closed";
      at = end;
    } else if (character === "#") {
      const end = filter.indexOf("\n", at);
      const comment = filter.slice(at, end === -1 ? undefined : end);
      // Whether such a comment continues on the next line depends on the jq version.
      if (comment.endsWith("\\") || comment.includes("\r")) return "jq: the end of a comment is ambiguous";
      at += comment.length;
    } else if (character === "(" || character === ")") {
      note(character);
      if (interpolations.length > 0) {
        interpolations[interpolations.length - 1]! += character === "(" ? 1 : -1;
        if (interpolations.at(-1) === 0) {
          interpolations.pop();
          const end = readText(at + 1);
          if (end === undefined) return "jq: a string is not closed";
          at = end;
          continue;
        }
      }
      at += 1;
    } else at = readName(at);
  }
  return interpolations.length > 0 ? "jq: a string is not closed" : { used, keys, defined };

  /** From just after a quote; returns the position after the closing quote, or after the next `\(`. */
  function readText(start: number): number | undefined {
    for (let index = start; index < filter.length; index += 1) {
      if (filter[index] === '"') {
        previous = '"';
        return index + 1;
      }
      if (filter[index] !== "\\") continue;
      index += 1;
      if (filter[index] === "(") {
        interpolations.push(1);
        open.push("(");
        previous = "(";
        return index + 1;
      }
    }
    return undefined;
  }

  function note(sign: string): void {
    if (/[({[]/.test(sign)) open.push(sign);
    if (/[)}\]]/.test(sign)) open.pop();
    previous = sign;
  }

  function readName(start: number): number {
    const rest = filter.slice(start, start + 200);
    const match = /^(?:\$__loc__|\.[A-Za-z_]\w*|[$@]?[A-Za-z_]\w*(?:::\w+)*)/.exec(rest)?.[0];
    if (match === undefined) {
      const number = /^\d+(?:\.\d*)?(?:[eE][+-]?\d+)?/.exec(rest)?.[0];
      if (/\S/.test(rest[0]!)) note(number ?? rest[0]!);
      return start + (number?.length ?? 1);
    }
    const isField =
      match.startsWith(".") || match.startsWith("@") || isObjectKey(match, start + match.length);
    if (!isField) {
      if (used.at(-1) === "def") defined.push(match);
      else if (isParameter(start)) defined.push(match);
      else if (isShorthand(start + match.length)) keys.add(match);
      used.push(match);
    }
    previous = match;
    return start + match.length;
  }

  /** `{ name: … }`, and not the start of a slice such as `.[name:1]`, where the name is called. */
  function isObjectKey(name: string, end: number): boolean {
    return !name.startsWith("$") && isFirstInObject() && /^\s{0,9}:(?!:)/.test(filter.slice(end, end + 12));
  }

  function isShorthand(end: number): boolean {
    return isFirstInObject() && /^\s{0,9}[,}]/.test(filter.slice(end, end + 10));
  }

  function isFirstInObject(): boolean {
    return open.at(-1) === "{" && /^[{,]$/.test(previous);
  }

  /** `def map_all(f; g): …` */
  function isParameter(start: number): boolean {
    const before = filter.slice(0, start);
    return /def\s+\w+\s*\([\w\s;$]*$/.test(before.slice(-200));
  }
}

const builtins: ReadonlySet<string> = new Set(
  (
    "def as if then elif else end and or not try catch reduce foreach label break length " +
    "utf8bytelength keys keys_unsorted values nulls booleans numbers strings arrays objects " +
    "iterables scalars has in map map_values path del getpath setpath delpaths paths leaf_paths " +
    "to_entries from_entries with_entries select empty error add any all flatten range floor ceil " +
    "round sqrt pow log log2 log10 exp exp2 exp10 fabs trunc tostring tonumber type infinite nan " +
    "isinfinite isnan isvalid isnormal sort sort_by group_by min max min_by max_by unique unique_by " +
    "reverse contains inside startswith endswith combinations ltrimstr rtrimstr trim ltrim rtrim " +
    "trimstr explode implode split splits join ascii ascii_downcase ascii_upcase while until repeat " +
    "recurse recurse_down transpose bsearch tojson fromjson todate fromdate now localtime gmtime " +
    "mktime strftime strptime strflocaltime dateadd datesub date fromdateiso8601 todateiso8601 " +
    "dateiso8601 test match capture scan sub gsub input inputs debug input_line_number limit first " +
    "last nth indices index rindex walk halt halt_error tostream fromstream truncate_stream skip " +
    "pick abs toarray have_literal_numbers have_decnum significand gamma lgamma tgamma logb frexp " +
    "ldexp scalb nearbyint sin cos tan asin acos atan sinh cosh tanh cbrt input_filename IN INDEX " +
    "GROUP_BY UNIQUE_BY finites normals isempty builtins null true false"
  ).split(" "),
);
