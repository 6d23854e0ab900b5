import { didYouMean } from "../../shared/text/did-you-mean.ts";
import { nearestNames } from "../../shared/text/nearest-names.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { Found } from "./collect.ts";
import type { Definition, DefinitionKind } from "./definition-kind.ts";

const maxSuggestions = 10;

/** Explains why the definition with that name cannot be used, or suggests other names. */
export function unknownDefinition<Item extends Definition>(
  name: string,
  {
    items,
    problems,
    kind: { noun, folders },
  }: Found<Item> & { kind: Pick<DefinitionKind<Item>, "noun" | "folders"> },
): ToolError {
  const problem = problems.find((each) => each.name === name);
  if (problem !== undefined)
    return new ToolError("not-found", `${problem.path} cannot be used: ${problem.message}`);
  const nearest = nearestNames(name, items.keys(), maxSuggestions);
  const otherwise =
    items.size === 0
      ? `No ${noun.many} were found in ${folders.join(" or ")}.`
      : `Known ${noun.many}: ${[...items.keys()].slice(0, maxSuggestions).join(", ")}${items.size > maxSuggestions ? ", …" : ""}.`;
  return new ToolError("not-found", `there is no ${noun.one} named ${JSON.stringify(name)}`, {
    hint: didYouMean(nearest, otherwise),
  });
}
