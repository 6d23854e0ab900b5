import { holdLines } from "../hold-lines.ts";

holdLines("a word that may turn out to be an operator", {
  harmless: [
    'read -r x < a.txt; [ "$x" = y ] && echo same',
    'read -r x < a.txt; [ -n "$x" ] && echo some',
    'read -r x < a.txt; [ "$x" ] && echo some',
    'read -r x < a.txt; [ "$x" -gt 3 ] && echo many',
    'read -r x y < a.txt; [ "$x" = "$y" ] && echo same',
    'read -r x < a.txt; [ -n "$x" -a "$x" != y ] && echo other',
    "[ $# -gt 0 ] && echo some",
  ],
  asking: [
    `read op < a.txt; [ "$op" 'a[$(id)]' ]`,
    'read x y < a.txt; [ "$x" "$y" ]',
    'read x y < a.txt; test "$x" "$y"',
    'read x y < a.txt; test ! "$x" "$y"',
    'read x y < a.txt; test -n a -a "$x" "$y"',
    'read x y < a.txt; [ "$x" "$y" z ]',
  ],
});

holdLines("a word that may turn out to be the end of what find runs", {
  harmless: [
    'read -r x < a.txt; find . -name "*.ts" -exec grep -n -e "$x" {} +',
    'read -r x < a.txt; find . -name "*.ts" -exec grep -n -- "$x" {} +',
    'read -r x < a.txt; find . -exec echo "$x" {} \\;',
    "for x in a b; do find . -exec grep $x {} +; done",
  ],
  asking: [
    "read x < a.txt; find . -exec echo $x \\;",
    'read x < a.txt; find . -exec echo "$x" -delete \\;',
    'read x < a.txt; find . -exec echo {} "$x" -delete \\;',
    'read x y < a.txt; find . -exec echo "$x" "$y" \\;',
    'read -r x < a.txt; find . -name "*.ts" -exec grep -n "$x" {} +',
    "find . -exec echo * \\;",
    "find . -exec echo $(cat a.txt) {} \\;",
  ],
});

holdLines("awk that prints to a file from between parentheses", {
  harmless: ["awk '{ print ($1 > 2) }' a.txt", "awk '{ if (($1 > 2) && ($2 > 3)) print }' a.txt"],
  asking: [
    `awk 'BEGIN { for (print "x" > "f"; 0; ) ; }'`,
    `awk 'BEGIN { for (; 0; print "x" > "f") ; }'`,
    `awk 'BEGIN { for (printf("x") > "f"; 0; ) ; }'`,
  ],
});
