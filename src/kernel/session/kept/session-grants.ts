import { createGrants, type Grants, parseRule, type RuleNames } from "../../policy/index.ts";
import { isText, type KeptKind } from "../../store/index.ts";
import type { SessionKept } from "./kept.ts";

/** The rules that a person has allowed for the whole session, as `rules`. */
export const grantedRules: KeptKind<readonly string[]> = {
  scope: "grants",
  isValue: (value): value is string[] => Array.isArray(value) && value.every(isText),
};

/** What a person has allowed for the whole session, also in an earlier process. */
export async function openGrants(
  kept: SessionKept,
  { names, keep }: { readonly names: RuleNames; readonly keep: Grants["keep"] },
): Promise<Grants> {
  const granted = kept(grantedRules);
  return createGrants({
    known: (await granted.get("rules")) ?? [],
    parse: (text) => parseRule(text, { where: "this session", names, isAllowing: true }),
    record: (texts) => granted.set("rules", texts),
    keep,
  });
}
