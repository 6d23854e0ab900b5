import { parseWebUrl } from "../../../shared/web/parse-web-url.ts";
import type { Word } from "../../shell-syntax/index.ts";
import { knownText } from "../known-words.ts";
import { hasOption, parseArguments } from "../parse-arguments.ts";
import { defineProgram, type ProgramCheck, programsLike } from "../program.ts";
import { asksVersion } from "./versions.ts";

/** Reports the hosts among the arguments, or any host (`*`) if there are none. */
const connects =
  (hostOf: (text: string) => string | undefined): ProgramCheck =>
  ({ operands, options }, report, { name, text }) => {
    if (asksVersion(name, operands)) return;
    const words = [...operands, ...options.flatMap(({ values }) => values)];
    // To the shell, an address with a `?` is a pattern; the host comes before the `?`.
    const texts = words.map((word) => knownText(word) ?? (word.kind === "glob" ? word.prefix : undefined));
    const hosts = texts.flatMap((part) => hostOf(part ?? "") ?? []);
    for (const host of hosts.length > 0 && !texts.includes(undefined) ? hosts : ["*"]) report.connect(host);
    report.runAnything(text, `${name} uses the network`);
  };

const fromUrl = (text: string): string | undefined => {
  const host = /^(?:[a-z][a-z0-9+.-]*:\/\/)(?:[^/?#]*@)?((?:\[[^\]]*\]|[^/?#:]+)(?::\d+)?)/i.exec(text)?.[1];
  return host ?? /^(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?(?=$|[/:?#])/i.exec(text)?.[0];
};

/** Curl does no more than web_fetch, as long as it only prints the page. */
const checkCurl: ProgramCheck = async (parsed, report, context) => {
  const fetched = readFetch(parsed.operands);
  // Otherwise ~/.curlrc could say anything.
  if (fetched === undefined || !(await context.world.hasOwnHome()))
    return connects(fromUrl)(parsed, report, context);
  for (const host of fetched) report.fetch(host);
};

/** The hosts that curl would get something from; undefined if it may do more than print that. */
function readFetch(words: readonly Word[]): readonly string[] | undefined {
  const parsed = parseArguments(words, plainCurl);
  const { options, operands, problems } = parsed;
  const isPlain = problems.length === 0 && options.every(({ option }) => option !== undefined);
  const texts = operands.map((word) => (word.kind === "literal" ? knownText(word) : undefined));
  // Curl would fetch several addresses for one with brackets, and reads other characters in its own way.
  const urls = texts.map((text) =>
    text && /^[!-~]+$/.test(text) && !/[{}[\]#\\]/.test(text) ? parseWebUrl(text) : undefined,
  );
  const hosts = urls.flatMap((url) => (url === undefined || "problem" in url ? [] : url.authority));
  if (!isPlain || hosts.length === 0 || hosts.length < operands.length) return undefined;
  // A redirect may lead anywhere.
  return hasOption(parsed, "-L", "--location") ? [...hosts, "*"] : hosts;
}

/** Options that neither send something, nor write files, nor choose another way to the host. */
const plainCurl = defineProgram({
  names: ["curl"],
  category: "general",
  harmless:
    "-s --silent -S --show-error -f --fail --fail-with-body -i --include -I --head -v --verbose --compressed -m= --max-time= --connect-timeout= -4 --ipv4 -6 --ipv6 --http1.0 --http1.1 --http2 -N --no-buffer --no-progress-meter -# --progress-bar --retry= --retry-delay= --retry-max-time= --max-filesize= --tlsv1.2 --tlsv1.3 -q --disable -L --location --max-redirs=",
  operands: "checked",
});

const fromAddress = (text: string): string | undefined =>
  /^(?:[^@/\s]+@)?([A-Za-z0-9][\w.-]*)(?::|$)/.exec(text)?.[1];

const never = (): undefined => undefined;

const connecting = programsLike({ category: "general", hasNoOptions: true, operands: "checked" });

function network(names: string, hostOf: (text: string) => string | undefined) {
  return connecting(names, { check: connects(hostOf) });
}

/** Programs whose purpose is the network. */
export const networkPrograms = [
  connecting("curl", { check: checkCurl }),
  // Unlike curl, wget follows redirects and writes files without being told to.
  network("wget http https xh aria2c lynx w3m", fromUrl),
  network(
    "ping ping6 traceroute tracepath mtr dig host nslookup whois nc ncat netcat telnet socat",
    fromAddress,
  ),
  network("ssh scp sftp mosh ftp lftp rsh rlogin ssh-copy-id", fromAddress),
  network("getent", never),
  network("npm npx pnpm pnpx yarn bun bunx deno", never),
  network("pip pip3 pipx uv uvx poetry conda mamba", never),
  network("gem bundle cargo go composer apt apt-get dnf yum apk brew pacman snap", never),
  network("docker podman kubectl helm terraform aws gcloud az gh glab hub", never),
];
