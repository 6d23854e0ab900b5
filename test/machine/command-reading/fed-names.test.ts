import { holdLines } from "./hold-lines.ts";

holdLines("names that one command feeds to another", {
  harmless: [
    "find . -name '*.ts' -print0 | xargs -0 grep -n foo",
    "grep -rlZ foo src | xargs -0 cat",
    "rg -l0 foo | xargs -0 wc -l",
    "rg -l -0 -g '*.ts' foo | xargs -0 cat",
    "fd -0 -e ts | xargs -0 cat",
    "git diff --name-only -z | xargs -0 wc -l",
    "find . -regex '.*\\.ts' -exec wc -l {} +",
  ],
  asking: [
    "fd --print0 --format /etc/passwd | xargs -0 cat",
    "fd -0 --path-separator /../../etc/ | xargs -0 cat",
    "grep -lZ --label=/etc/passwd x - < a.txt | xargs -0 cat",
    "git diff --name-only -z --line-prefix=/etc/ | xargs -0 cat",
    "git ls-files -z --format=/etc/passwd | xargs -0 cat",
    "rg -0 --null-data -I -g a.txt /etc | xargs -0 cat",
    "find . -printf '/etc/passwd\\0' | xargs -0 cat",
  ],
});

holdLines("names that may hold secrets, chosen from a tree", {
  harmless: [
    "grep -rn foo --include='*.ts' .",
    "grep -rn foo --include='*.{ts,md}' .",
    "grep -rn foo --include='*' src",
    "rg -g '*.ts' foo",
    "rg -g '!*.pem' foo",
    "rg --glob 'src/**' foo",
    "find . -name '.env*'",
    "find . -name '*.md' -exec cat {} +",
  ],
  asking: [
    "grep -r KEY --include=.env .",
    "grep -rh '' --include='.en*' .",
    "grep -rh '' --include '*.pem' .",
    "rg -g .env KEY",
    "rg --hidden -g '.e*' KEY",
    "rg --hidden --glob '*.{pem,env}' KEY",
    "rg --hidden --iglob '.ENV' KEY",
    "rg -g '**/.ssh/**' KEY",
    "ag -G '\\.env' KEY",
    "find . -name '.en*' -exec cat {} +",
    "find . -name '*nv' -exec cat {} +",
    "find . -name '.e*' -print0 | xargs -0 cat",
    "find . -path '*/.aws/*' -exec cat {} +",
    "find . -regex '.*/\\.env' -exec cat {} +",
    "find . -regextype posix-extended -regex '.*\\.(env|pem)' -exec cat {} +",
    "find . -iname '.ENV' -exec cat {} +",
  ],
});
