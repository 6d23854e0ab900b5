// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how bash writes an expansion
import { holdLines } from "./hold-lines.ts";

holdLines("loops and functions that may never end", {
  harmless: [
    "while true; do echo x; break; done",
    "until false; do ls; exit; done",
    "for ((;;)); do break; done",
    "f() { ls; }; g() { f; f; }; g",
    "if true; then f() { ls; }; else f() { pwd; }; fi; f",
    "i=0; while ((i < 3)); do echo $i; i=$((i+1)); done",
    "until true; do echo never; done",
    "while false; do echo never; done",
    "while [ 1 -gt 2 ]; do echo x; done",
    "while read -r line; do echo $line; done < a.txt",
  ],
  asking: [
    "bomb() { bomb | bomb & }; bomb",
    "f() { f; }; f",
    "f() { g() { f; }; g; }; f",
    "g() { ls; }; f() { g; }; g() { f | f & }; f",
    "f() { g; }; g() { f; }; f",
    "while :; do :; done",
    "while true; do ls; done",
    "until false; do ls; done",
    "for ((;;)); do ls; done",
    "while 'true'; do ls; done",
    "until ''false; do ls; done",
    "while ! false; do ls; done",
    "while true; true; do ls; done",
    "while ((1)); do ls; done",
    "until ! true; do ls; done",
    "for ((i=0;;i++)); do echo $i; done",
  ],
});

holdLines("folders that are listed without a command", {
  harmless: [
    "for f in *.txt; do echo $f; done",
    "for f in src/*.ts; do echo $f; done",
    "cd src && for f in *; do echo $f; done",
    'files=(src/*.ts); echo "${files[@]}"',
  ],
  asking: [
    "for f in /etc/*; do echo $f; done",
    "for f in ../*; do echo $f; done",
    "for f in ~/*; do echo $f; done",
    "cd src && for f in ../../*; do echo $f; done",
    "cd $x; for f in *; do echo $f; done",
    'files=(/etc/*); echo "${files[@]}"',
    'files=(~/*); echo "${files[@]}"',
  ],
});
