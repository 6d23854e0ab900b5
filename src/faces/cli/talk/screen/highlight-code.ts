import type { CommandOutput } from "../../terminal/command-output.ts";

type Style = CommandOutput["style"];

/**
 * Colours comments, texts, numbers and the words that most languages share. A highlighter that knows every language weighs
 * more than the rest of the command line; this one is right often enough for reading an answer.
 */
export function highlightCode(code: string, style: Style): string[] {
  return code.split("\n").map((line) => (line.length > maxLine ? line : highlightLine(line, style)));
}

const maxLine = 1000;

function highlightLine(line: string, style: Style): string {
  return line.replace(tokens, (token, comment?: string, text?: string, number?: string, word?: string) => {
    if (comment !== undefined) return style("dim", token);
    if (text !== undefined) return style("green", token);
    if (number !== undefined) return style("yellow", token);
    return word !== undefined && keywords.has(word) ? style("magenta", token) : token;
  });
}

const tokens =
  /((?:\/\/|(?<![\w$&"'])#(?!\w*[;{]))[^\n]*)|("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\\n]|\\.)*`)|(\b\d[\d._]*\b)|\b([A-Za-z_]\w*)\b/g;

const keywords = new Set(
  (
    "abstract and as async await begin break case catch class const continue def default defer del do elif else end " +
    "enum except export extends extern false finally fn for from func function go if impl implements import in " +
    "interface is lambda let loop match mod mut namespace new nil none not null or package pass private protected pub " +
    "public raise readonly return select self static struct super switch then this throw trait true try type typeof " +
    "undefined union unless until use var void when where while with yield"
  ).split(" "),
);
