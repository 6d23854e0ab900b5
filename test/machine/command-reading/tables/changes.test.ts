import { holdLines } from "../hold-lines.ts";

holdLines("changing files", {
  asking: [
    "tee x",
    "tee -a x",
    "rm x",
    "rm -rf .",
    "rm -rf *",
    "rmdir x",
    "mv a b",
    "cp a b",
    "mkdir x",
    "touch x",
    "chmod +x a",
    "chmod 777 a",
    "chown x a",
    "ln -s a b",
    "dd if=a of=b",
    "truncate -s 0 x",
    "install a b",
    "mkfifo x",
    "mktemp",
    "split a",
    "csplit a",
    "shred a",
  ],
});
