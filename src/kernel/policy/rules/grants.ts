import { indexRules } from "./index-rules.ts";
import type { Rule, Rules } from "./rule.ts";

/** What a person has allowed for longer than one call. Shared by a session and its sub-agents. */
export interface Grants {
  /** Adds rules to those of this session, where they also hold after it was closed and opened again. */
  addToSession(rules: readonly string[]): Promise<void>;
  /** Stores rules among the user's own rules for the project. */
  keep(rules: readonly string[]): Promise<void>;
  /** The given rules with those of the session. The same object as long as neither has changed. */
  join(rules: Rules): Rules;
  /** The given rules with some more, to try whether they would allow a call. */
  joinTexts(rules: Rules, texts: readonly string[]): Promise<Rules>;
}

export async function createGrants({
  known,
  parse,
  record,
  keep,
}: {
  /** The rules that an earlier process recorded. */
  readonly known: readonly string[];
  parse(text: string): Promise<Rule>;
  /** Called with all rules of the session when some were added. */
  record(texts: readonly string[]): void;
  readonly keep: Grants["keep"];
}): Promise<Grants> {
  const granted = new Map<string, Rule>();
  // A tool that is gone by now needs no rule.
  for (const text of known) {
    const rule = await parse(text).catch(() => undefined);
    if (rule !== undefined) granted.set(text, rule);
  }
  let joined: { readonly of: Rules; readonly count: number; readonly rules: Rules } | undefined;
  return {
    async addToSession(texts) {
      for (const text of texts) granted.set(text, await parse(text));
      record([...granted.keys()]);
    },
    keep,
    join(rules) {
      if (granted.size === 0) return rules;
      if (joined?.of !== rules || joined.count !== granted.size)
        joined = { of: rules, count: granted.size, rules: addAllowed(rules, [...granted.values()]) };
      return joined.rules;
    },
    async joinTexts(rules, texts) {
      return addAllowed(rules, await Promise.all(texts.map(parse)));
    },
  };
}

function addAllowed({ allow, ask, deny }: Rules, more: readonly Rule[]): Rules {
  return indexRules({ allow: [...allow, ...more], ask, deny });
}

/** For calls that no person can be asked about. */
export const noGrants: Grants = {
  addToSession: async () => {},
  keep: async () => {},
  join: (rules) => rules,
  joinTexts: async (rules) => rules,
};
