import { knownText } from "../known-words.ts";
import { defineProgram, type ProgramCheck } from "../program.ts";
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
  const host = /^(?:[a-z][a-z0-9+.-]*:\/\/)(?:[^/?#]*@)?(\[[^\]]*\]|[^/?#:]+)/i.exec(text)?.[1];
  return host ?? /^(?:[\w-]+\.)+[a-z]{2,}(?=$|[/:?#])/i.exec(text)?.[0];
};

const fromAddress = (text: string): string | undefined =>
  /^(?:[^@/\s]+@)?([A-Za-z0-9][\w.-]*)(?::|$)/.exec(text)?.[1];

const never = (): undefined => undefined;

function network(names: string, hostOf: (text: string) => string | undefined) {
  return defineProgram({
    names: names.split(" "),
    category: "general",
    hasNoOptions: true,
    operands: "checked",
    check: connects(hostOf),
  });
}

/** Programs whose purpose is the network. */
export const networkPrograms = [
  network("curl wget http https xh aria2c lynx w3m", fromUrl),
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
