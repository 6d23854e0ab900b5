import type { HereDoc, HereString, Redirection, Redirect as RedirectNode } from "unbash";
import type { ScriptPlace } from "../reading.ts";
import type { Redirect, Word } from "../shell-script.ts";
import { isFreshName } from "../shell-state.ts";
import { resolveArguments, resolveText } from "../words/resolve-word.ts";
import { readHereBody } from "../words/word-atoms.ts";

export function readRedirect(node: Redirection, place: ScriptPlace): Redirect {
  const { reading, site, state } = place;
  const { operator, descriptor } = node;
  let written: number | string | undefined;
  if (descriptor?.type === "FileDescriptor") written = descriptor.value;
  if (descriptor?.type === "FileDescriptorVariable") {
    written = descriptor.name;
    if (!isFreshName(written))
      reading.addProblem(
        `it assigns ${written}, which may change what commands do`,
        site.source.slice(node.pos, node.end),
      );
    state.variables.set(written, { kind: "integer" });
  }
  return { operator, descriptor: written, target: readTarget(node, place) };
}

function readTarget(node: Redirection, place: ScriptPlace): Word {
  switch (node.type) {
    case "HereDoc":
      return readHereDocument(node, place);
    case "HereString":
      return readHereString(node, place);
    case "Redirect":
      return readFile(node, place);
    default:
      place.reading.addProblem("it contains an unknown kind of redirection", place.site.source);
      return missing("");
  }
}

function readFile(node: RedirectNode, place: ScriptPlace): Word {
  if (node.target === undefined) return noTarget(node, place);
  const [word, ...others] = resolveArguments(node.target, place) ?? [];
  // Bash rejects a redirection to several files.
  if (word === undefined || others.length > 0) return { ...missing(node.target.text), why: "not one file" };
  return word;
}

function readHereString(node: HereString, place: ScriptPlace): Word {
  const { target } = node;
  if (target === undefined) return noTarget(node, place);
  return resolveText(place.reading.readWord(target, place), target.text, place);
}

function readHereDocument(node: HereDoc, place: ScriptPlace): Word {
  const { reading, site } = place;
  const { body, delimiter, operator } = node;
  const source = body.text;
  reading.spend(source.length / 16);
  if (delimiter === undefined || node.closing === undefined) {
    reading.addProblem("a here-document is not closed", site.source.slice(node.pos, node.end));
  }
  const strip = (text: string) => (operator === "<<-" ? text.replace(/^\t+/gm, "") : text);
  if (delimiter?.quoted) return { kind: "literal", text: strip(source), source };
  // Without parts there is nothing to expand, but the text is still checked.
  const { pos, end } = body;
  const parts = body.parts ?? [{ type: "Literal" as const, text: source, value: source, pos, end }];
  const word = resolveText(readHereBody(parts, place), source, place);
  return word.kind === "literal" || word.kind === "variable" ? { ...word, text: strip(word.text) } : word;
}

function noTarget(
  node: { readonly pos: number; readonly end: number },
  { reading, site }: ScriptPlace,
): Word {
  const source = site.source.slice(node.pos, node.end);
  reading.addProblem("a redirection has no target", source);
  return missing(source);
}

function missing(source: string): Extract<Word, { kind: "dynamic" }> {
  return { kind: "dynamic", prefix: "", source, why: "a missing target" };
}
