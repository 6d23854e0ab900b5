import type { HereDoc, HereString, Redirection, Redirect as RedirectNode } from "unbash";
import type { Reading, Site } from "../reading.ts";
import type { Redirect, Word } from "../shell-script.ts";
import type { ShellState } from "../shell-state.ts";
import { isFreshName } from "../shell-state.ts";
import { resolveArguments, resolveText } from "../words/resolve-word.ts";
import { readHereBody } from "../words/word-atoms.ts";

interface Context {
  readonly reading: Reading;
  readonly site: Site;
  readonly state: ShellState;
}

export function readRedirect(node: Redirection, context: Context): Redirect {
  const { reading, site, state } = context;
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
  return { operator, descriptor: written, target: readTarget(node, context) };
}

function readTarget(node: Redirection, context: Context): Word {
  switch (node.type) {
    case "HereDoc":
      return readHereDocument(node, context);
    case "HereString":
      return readHereString(node, context);
    case "Redirect":
      return readFile(node, context);
    default:
      context.reading.addProblem("it contains an unknown kind of redirection", context.site.source);
      return missing("");
  }
}

function readFile(node: RedirectNode, context: Context): Word {
  const { reading, site, state } = context;
  if (node.target === undefined) return noTarget(node, context);
  const atoms = reading.readWord(node.target, site, state);
  const source = node.target.text;
  const words = resolveArguments(atoms, { source, home: reading.options.known?.HOME });
  const [word, ...others] = words ?? [];
  // Bash rejects a redirection to several files.
  if (word === undefined || others.length > 0) return { ...missing(source), why: "not one file" };
  return word;
}

function readHereString(node: HereString, context: Context): Word {
  const { reading, site, state } = context;
  if (node.target === undefined) return noTarget(node, context);
  const atoms = reading.readWord(node.target, site, state);
  return resolveText(atoms, { source: node.target.text, home: reading.options.known?.HOME });
}

function readHereDocument(node: HereDoc, context: Context): Word {
  const { reading, site, state } = context;
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
  const word = resolveText(readHereBody(parts, reading, { site, state }), { source });
  return word.kind === "literal" || word.kind === "variable" ? { ...word, text: strip(word.text) } : word;
}

function noTarget(node: { readonly pos: number; readonly end: number }, { reading, site }: Context): Word {
  const source = site.source.slice(node.pos, node.end);
  reading.addProblem("a redirection has no target", source);
  return missing(source);
}

function missing(source: string): Extract<Word, { kind: "dynamic" }> {
  return { kind: "dynamic", prefix: "", source, why: "a missing target" };
}
