// Made from the tools' schemas by `node scripts/options.ts`; do not edit it.

/** What each built-in tool takes, and what is in the data of its result once it is done. */
export interface BuiltinCalls {
  readonly agent_run: {
    readonly input: {
      /** The complete task with all the context the agent needs; it sees nothing else of this conversation. */
      readonly prompt: string;
      /** The task in three to five words, shown to the user. */
      readonly description?: string | undefined;
      /** Which kind of agent to use; default: one like you. */
      readonly kind?: string | undefined;
      /** Its model; default: yours. Default: "". */
      readonly model?: string | undefined;
      /** sync waits for the result. background returns immediately, and you are notified when the agent ends. worktree waits too, and gives the agent its own git worktree on a new branch. Default: "sync". */
      readonly mode?: "sync" | "background" | "worktree" | undefined;
      /** To follow up with an agent of yours that has ended: its id, such as agent_1a2b3c. It remembers its work, and prompt is your next message to it. Default: "". */
      readonly agent_id?: string | undefined;
      /** Only with mode worktree: the name of the new branch; generated if left empty. Default: "". */
      readonly branch_name?: string | undefined;
    };
    readonly output:
      | {
          readonly id: string;
          readonly sessionId: string;
          readonly title: string;
          readonly isParentTold: boolean;
          readonly branch?: string;
        }
      | {
          readonly id: string;
          readonly sessionId: string;
          readonly title: string;
          readonly reason: string;
          readonly text: string;
          readonly steps: number;
          readonly calls: number;
          readonly tokens: number;
          readonly branch?: string;
          readonly problem?: string;
          readonly work?: {
            readonly branch: string;
            readonly base: string;
            readonly hasUncommitted: boolean;
            readonly isKept: boolean;
            readonly files: readonly {
              readonly path: string;
              readonly change: string;
            }[];
            readonly hasMoreFiles: boolean;
          };
        };
  };
  readonly code_analyze: {
    readonly input: {
      /** Path of a file or a folder, relative to the workspace. Default: ".". */
      readonly path?: string | undefined;
      /** Number of files to skip. Default: 0. */
      readonly offset?: number | undefined;
      /** The most files to parse. Default: 100. */
      readonly max_files?: number | undefined;
    };
    readonly output: {
      readonly path: string;
      readonly files: readonly {
        readonly path: string;
        readonly symbols: readonly {
          readonly name: string;
          readonly kind: string;
          readonly line: number;
          readonly endLine: number;
          readonly parent?: string;
          readonly exportedAs?: readonly string[];
        }[];
        readonly imports: readonly {
          readonly from: string;
          readonly line: number;
          readonly kind: "import" | "reexport" | "dynamic" | "require";
          readonly names: readonly string[];
          readonly isTypeOnly?: boolean;
        }[];
        readonly problems: readonly {
          readonly line: number;
          readonly message: string;
        }[];
        readonly isCut: boolean;
      }[];
      readonly skipped: readonly {
        readonly path: string;
        readonly why: string;
      }[];
      /** Files of code that were found. */
      readonly total: number;
      readonly truncated: boolean;
      readonly offset?: number;
      readonly nextOffset?: number;
    };
  };
  readonly code_format: {
    readonly input: {
      /** Paths of files, relative to the workspace. */
      readonly paths: readonly string[];
      /** Only say which files would change. Default: false. */
      readonly check?: boolean | undefined;
    };
    readonly output: {
      readonly formatter: string;
      readonly changed: readonly {
        readonly path: string;
        readonly diff?: string;
      }[];
      readonly unchanged: readonly string[];
      readonly failed: readonly {
        readonly path: string;
        readonly why: string;
      }[];
      /** Nothing was written. */
      readonly isCheck: boolean;
    };
  };
  readonly database_query: {
    readonly input: {
      /** The connection's name. */
      readonly connection: string;
      /** One statement; put every value into parameters. */
      readonly sql: string;
      /** Values for the placeholders, never pasted into the text: a list for ? (SQLite) or $1 (PostgreSQL), or by name for :name (SQLite). {"integer": "…"} is a whole number beyond 2^53, {"base64": "…"} is bytes. */
      readonly parameters?:
        | readonly (
            | string
            | number
            | boolean
            | null
            | {
                readonly integer: string;
              }
            | {
                readonly base64: string;
              }
          )[]
        | Readonly<
            Record<
              string,
              | string
              | number
              | boolean
              | null
              | {
                  readonly integer: string;
                }
              | {
                  readonly base64: string;
                }
            >
          >
        | undefined;
      /** The most rows to return. Default: 200. */
      readonly max_rows?: number | undefined;
      /** Timeout in milliseconds; the statement is then stopped. Default: 30000. */
      readonly timeout?: number | undefined;
    };
    readonly output: {
      readonly columns: readonly {
        readonly name: string;
        readonly type?: string;
      }[];
      /** Values in the order of the columns; {integer} is a whole number beyond 2^53, {real} is NaN, an infinity or -0, {base64} is bytes. */
      readonly rows: readonly (readonly unknown[])[];
      readonly truncated: boolean;
      /** The limit that left rows out. */
      readonly cutBy?: "rows" | "bytes" | "characters";
    };
  };
  readonly database_update: {
    readonly input: {
      /** The connection's name. */
      readonly connection: string;
      /** What to run, in this order. */
      readonly statements: readonly {
        /** One statement; put every value into parameters. */
        readonly sql: string;
        /** Values for the placeholders, never pasted into the text: a list for ? (SQLite) or $1 (PostgreSQL), or by name for :name (SQLite). {"integer": "…"} is a whole number beyond 2^53, {"base64": "…"} is bytes. */
        readonly parameters?:
          | readonly (
              | string
              | number
              | boolean
              | null
              | {
                  readonly integer: string;
                }
              | {
                  readonly base64: string;
                }
            )[]
          | Readonly<
              Record<
                string,
                | string
                | number
                | boolean
                | null
                | {
                    readonly integer: string;
                  }
                | {
                    readonly base64: string;
                  }
              >
            >
          | undefined;
      }[];
      /** Run everything, return the number of affected rows, and roll it back. Default: false. */
      readonly rollback?: boolean | undefined;
      /** The most rows to return. Default: 200. */
      readonly max_rows?: number | undefined;
      /** Timeout in milliseconds; the statement is then stopped. Default: 30000. */
      readonly timeout?: number | undefined;
    };
    readonly output: {
      readonly committed: boolean;
      readonly results: readonly {
        readonly affected: number;
        readonly columns?: readonly {
          readonly name: string;
          readonly type?: string;
        }[];
        /** Values in the order of the columns; {integer} is a whole number beyond 2^53, {real} is NaN, an infinity or -0, {base64} is bytes. */
        readonly rows?: readonly (readonly unknown[])[];
        /** The limit that left rows out. */
        readonly cutBy?: "rows" | "bytes" | "characters";
      }[];
    };
  };
  readonly file_copy: {
    readonly input: {
      /** Path to copy, relative to the workspace. */
      readonly source: string;
      /** The new path, relative to the workspace. */
      readonly destination: string;
      /** Replace whatever is at the destination. Default: false. */
      readonly overwrite?: boolean | undefined;
    };
    readonly output: {
      readonly source: string;
      readonly destination: string;
    };
  };
  readonly file_delete: {
    readonly input: {
      /** Path to delete, relative to the workspace. */
      readonly path: string;
      /** Also delete everything in the folder. Default: false. */
      readonly recursive?: boolean | undefined;
    };
    readonly output: {
      readonly path: string;
    };
  };
  readonly file_edit: {
    readonly input: {
      /** Path of the file, relative to the workspace. */
      readonly path: string;
      /** The exact text to replace, without line numbers. */
      readonly old_string: string;
      /** The text to replace it with. */
      readonly new_string: string;
      /** Replace every occurrence. Default: false. */
      readonly replace_all?: boolean | undefined;
      /** Encoding of a file that is not UTF-8 and has no byte order mark, such as windows-1252. */
      readonly encoding?: string | undefined;
    };
    readonly output: {
      /** Relative to the workspace if the file is inside, otherwise absolute. */
      readonly path: string;
      readonly created: boolean;
      /** In bytes. */
      readonly sizeBytes: number;
      /** SHA-256 of the new content. */
      readonly hash: string;
      /** It existed and had not been read in this session. */
      readonly wasUnread: boolean;
      /** Length of the new text. */
      readonly characters: number;
      readonly replacements: number;
      /** The line of each replacement in the new text. */
      readonly lines: readonly number[];
      /** How exactly the old text was found. */
      readonly matchedBy:
        | "exact"
        | "line-endings"
        | "trailing-space"
        | "indentation"
        | "punctuation"
        | "blank-lines";
      /** A short unified diff. */
      readonly diff?: string;
    };
  };
  readonly file_gitignore: {
    readonly input: {
      /** Add patterns, or check a path. */
      readonly action: "add" | "check";
      /** The folder whose .gitignore to use. Default: ".". */
      readonly dir?: string | undefined;
      /** For add: the patterns to add. */
      readonly patterns?: readonly string[] | undefined;
      /** For check: a path inside dir; a trailing / means a folder. */
      readonly path?: string | undefined;
    };
    readonly output:
      | {
          readonly action: "add";
          readonly file: string;
          readonly added: readonly string[];
        }
      | {
          readonly action: "check";
          readonly path: string;
          readonly ignored: boolean;
        };
  };
  readonly file_list: {
    readonly input: {
      /** Path of the directory, relative to the workspace. Default: ".". */
      readonly path?: string | undefined;
      /** Also list the contents of subdirectories. Default: false. */
      readonly recursive?: boolean | undefined;
      /** Number of entries to skip. Default: 0. */
      readonly offset?: number | undefined;
    };
    readonly output: {
      readonly path: string;
      readonly entries: readonly {
        readonly name: string;
        readonly path: string;
        readonly type: "file" | "directory" | "link" | "other";
        /** In bytes. */
        readonly size: number;
        /** ISO 8601. */
        readonly mtime: string;
        readonly linkTarget?: string;
      }[];
      readonly truncated: boolean;
      readonly offset?: number;
      readonly total?: number;
    };
  };
  readonly file_mkdir: {
    readonly input: {
      /** Path of the folder, relative to the workspace. */
      readonly path: string;
      /** Also create missing parent folders. Default: true. */
      readonly recursive?: boolean | undefined;
    };
    readonly output: {
      readonly path: string;
    };
  };
  readonly file_move: {
    readonly input: {
      /** Path to move, relative to the workspace. */
      readonly source: string;
      /** The new path, relative to the workspace. */
      readonly destination: string;
      /** Replace whatever is at the destination. Default: false. */
      readonly overwrite?: boolean | undefined;
    };
    readonly output: {
      readonly source: string;
      readonly destination: string;
    };
  };
  readonly file_multi_edit: {
    readonly input: {
      /** The edits. */
      readonly edits: readonly {
        /** Path of the file, relative to the workspace. */
        readonly path: string;
        /** The exact text to replace. */
        readonly old_string: string;
        /** The text to replace it with. */
        readonly new_string: string;
        /** Replace every occurrence. Default: false. */
        readonly replace_all?: boolean | undefined;
      }[];
    };
    readonly output: {
      readonly results: readonly {
        /** Relative to the workspace if the file is inside, otherwise absolute. */
        readonly path: string;
        readonly created: boolean;
        /** In bytes. */
        readonly sizeBytes: number;
        /** SHA-256 of the new content. */
        readonly hash: string;
        /** It existed and had not been read in this session. */
        readonly wasUnread: boolean;
        /** Length of the new text. */
        readonly characters: number;
        readonly replacements: number;
        /** The line of each replacement in the new text. */
        readonly lines: readonly number[];
        /** How exactly the old text was found. */
        readonly matchedBy:
          | "exact"
          | "line-endings"
          | "trailing-space"
          | "indentation"
          | "punctuation"
          | "blank-lines";
        readonly status: "ok";
        /** A short unified diff. */
        readonly diff?: string;
      }[];
    };
  };
  readonly file_notebook: {
    readonly input: {
      /** Path of the notebook, relative to the workspace. */
      readonly path: string;
      /** The id of the cell, or its index counted from 0, such as 3 or cell-3. A new cell is inserted after it, or first if it is left out. */
      readonly cell_id?: string | undefined;
      /** The whole new source of the cell; not needed to delete one. */
      readonly new_source?: string | undefined;
      /** The type of the cell: required to insert one; when replacing, the default is its current type. */
      readonly cell_type?: "code" | "markdown" | undefined;
      /** What to do. Default: "replace". */
      readonly edit_mode?: "replace" | "insert" | "delete" | undefined;
    };
    readonly output: {
      /** Relative to the workspace if the file is inside, otherwise absolute. */
      readonly path: string;
      readonly created: boolean;
      /** In bytes. */
      readonly sizeBytes: number;
      /** SHA-256 of the new content. */
      readonly hash: string;
      /** It existed and had not been read in this session. */
      readonly wasUnread: boolean;
      readonly mode: "replace" | "insert" | "delete";
      /** False if the cell already was as asked for. */
      readonly changed: boolean;
      /** Where the cell is, or was before it was deleted; counted from 0. */
      readonly index: number;
      /** The cell's type. */
      readonly type: string;
      /** How many cells there are now. */
      readonly cells: number;
      readonly clearedOutputs: boolean;
      /** The cell's id. */
      readonly id?: string;
      /** A short unified diff. */
      readonly diff?: string;
    };
  };
  readonly file_patch: {
    readonly input: {
      /** The patch. */
      readonly patch: string;
    };
    readonly output: {
      readonly files: readonly {
        readonly path: string;
        readonly kind: "add" | "update" | "delete";
        readonly movedTo?: string;
        readonly matchedBy?: string;
        /** A short unified diff. */
        readonly diff?: string;
      }[];
    };
  };
  readonly file_read: {
    readonly input: {
      /** Path of the file, relative to the workspace. */
      readonly path: string;
      /** The line to start at, counted from 1. Default: 1. */
      readonly offset?: number | undefined;
      /** Maximum number of lines to read. Default: 2000. */
      readonly limit?: number | undefined;
      /** The character to start at in that line, counted from 1, to read on in a long line. Default: 1. */
      readonly column?: number | undefined;
      /** Encoding of a file that is not UTF-8 and has no byte order mark, such as windows-1252. */
      readonly encoding?: string | undefined;
      /** Read a notebook (.ipynb) as the JSON text that it is, instead of as cells. Default: false. */
      readonly raw?: boolean | undefined;
    };
    readonly output:
      | {
          readonly kind: "text";
          readonly path: string;
          readonly offset: number;
          readonly limit: number;
          readonly lines: number;
          readonly truncated: boolean;
          readonly content: string;
          readonly column?: number;
          readonly totalLines?: number;
          readonly cutLines?: readonly {
            readonly line: number;
            readonly cutCharacters: number;
          }[];
        }
      | {
          readonly kind: "notebook";
          readonly path: string;
          readonly offset: number;
          readonly limit: number;
          readonly lines: number;
          readonly truncated: boolean;
          readonly content: string;
          readonly cells: number;
          readonly images: number;
          readonly shownImages: readonly {
            /** Counted from 0. */
            readonly cell: number;
            readonly mimeType: string;
            readonly width: number;
            readonly height: number;
            readonly notes: readonly string[];
          }[];
          readonly column?: number;
          readonly totalLines?: number;
          readonly cutLines?: readonly {
            readonly line: number;
            readonly cutCharacters: number;
          }[];
          /** Counted from 0. */
          readonly firstCell?: number;
          /** Counted from 0. */
          readonly lastCell?: number;
        }
      | {
          readonly kind: "document";
          readonly path: string;
          readonly mediaType: string;
          /** In bytes. */
          readonly sizeBytes: number;
        }
      | {
          readonly kind: "image";
          readonly path: string;
          readonly mimeType: string;
          readonly width: number;
          readonly height: number;
          readonly notes: readonly string[];
        };
  };
  readonly file_write: {
    readonly input: {
      /** Path of the file, relative to the workspace. */
      readonly path: string;
      /** The whole new content. */
      readonly content: string;
      /** Encoding of a file that is not UTF-8 and has no byte order mark, such as windows-1252. */
      readonly encoding?: string | undefined;
    };
    readonly output: {
      /** Relative to the workspace if the file is inside, otherwise absolute. */
      readonly path: string;
      readonly created: boolean;
      /** In bytes. */
      readonly sizeBytes: number;
      /** SHA-256 of the new content. */
      readonly hash: string;
      /** It existed and had not been read in this session. */
      readonly wasUnread: boolean;
      /** A short unified diff. */
      readonly diff?: string;
    };
  };
  readonly network_download: {
    readonly input: {
      /** The whole address, beginning with https:// or http://. */
      readonly url: string;
      /** Where to save it, relative to the workspace. */
      readonly path: string;
      /** Replace a file that is already there. Default: false. */
      readonly overwrite?: boolean | undefined;
      /** Timeout in milliseconds. Default: 120000. */
      readonly timeout?: number | undefined;
    };
    readonly output: {
      readonly url: string;
      readonly path: string;
      readonly contentType: string;
      readonly sizeBytes: number;
      readonly hash: string;
      readonly created: boolean;
      readonly resumedAt?: number;
    };
  };
  readonly network_request: {
    readonly input: {
      /** The whole address, beginning with https:// or http://. */
      readonly url: string;
      /** The method. Default: "GET". */
      readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS" | undefined;
      /** Headers by name. Default: {}. */
      readonly headers?: Readonly<Record<string, string>> | undefined;
      /** The body, as text. */
      readonly body?: string | undefined;
      /** Timeout in milliseconds. Default: 30000. */
      readonly timeout?: number | undefined;
    };
    readonly output: {
      readonly url: string;
      readonly status: number;
      readonly contentType: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
      readonly isCut: boolean;
      readonly redirect?: string;
    };
  };
  readonly project_reflect: {
    readonly input: {
      /** What a later session should know: what worked, what did not, and why. */
      readonly note?: string | undefined;
      /** Words to find the note by. Default: []. */
      readonly tags?: readonly string[] | undefined;
      /** Words to look for. */
      readonly query?: string | undefined;
    };
    readonly output: {
      readonly kept: boolean;
      readonly notes: readonly {
        readonly text: string;
        readonly tags: readonly string[];
        readonly by: string;
        /** ISO 8601. */
        readonly keptAt: string;
      }[];
    };
  };
  readonly search_glob: {
    readonly input: {
      /** The pattern, relative to path, such as src/**\/*.{ts,tsx}. */
      readonly pattern: string;
      /** Path of the folder to search, relative to the workspace. Default: ".". */
      readonly path?: string | undefined;
      /** Also find files that .gitignore or the default excludes skip. Default: false. */
      readonly include_ignored?: boolean | undefined;
      /** Number of files to skip. Default: 0. */
      readonly offset?: number | undefined;
    };
    readonly output: {
      readonly pattern: string;
      readonly path: string;
      readonly matches: readonly {
        readonly path: string;
        /** In bytes. */
        readonly size?: number;
        /** ISO 8601. */
        readonly mtime?: string;
      }[];
      /** Matching files, over all pages. */
      readonly total: number;
      readonly truncated: boolean;
      readonly offset?: number;
      /** Files that may hold secrets or may not be read. */
      readonly leftOut?: number;
      /** Paths that could not be read. */
      readonly unreadable?: number;
      /** Files that the pattern may have meant. */
      readonly near?: {
        readonly ignored: number;
        readonly below: number;
      };
    };
  };
  readonly search_grep: {
    readonly input: {
      /** The regular expression to search for. */
      readonly pattern: string;
      /** Path of the folder or file to search, relative to the workspace; with * a set of files, such as src/**\/*.ts. Default: ".". */
      readonly path?: string | undefined;
      /** Only files whose path matches, such as *.{ts,tsx}, src/**\/*.py or !*.test.ts. */
      readonly glob?: string | undefined;
      /** Only files of this ripgrep type, such as ts, py, go, rust, md. */
      readonly type?: string | undefined;
      /** Matching lines, paths of files with a match (newest first), or the number of matches per file. Default: "content". */
      readonly output_mode?: "content" | "files_with_matches" | "count" | undefined;
      /** Lines to show before and after each match; none by default. */
      readonly context?: number | undefined;
      /** Lines to show before each match. */
      readonly before?: number | undefined;
      /** Lines to show after each match. */
      readonly after?: number | undefined;
      /** Ignore case. Default: false. */
      readonly case_insensitive?: boolean | undefined;
      /** Treat the pattern as plain text. Default: false. */
      readonly literal?: boolean | undefined;
      /** Let a match span several lines. Default: false. */
      readonly multiline?: boolean | undefined;
      /** Number of output lines to skip. Default: 0. */
      readonly offset?: number | undefined;
      /** Maximum number of output lines; 0 for as many as possible. Default: 250. */
      readonly head_limit?: number | undefined;
      /** Also search files that .gitignore or the default excludes skip. Default: false. */
      readonly include_ignored?: boolean | undefined;
    };
    readonly output:
      | {
          readonly mode: "content";
          readonly matches: readonly {
            readonly path: string;
            readonly line: number;
            readonly kind: "match" | "context";
            readonly text: string;
            /** Ranges of the text that match, from and to. */
            readonly matches: readonly (readonly number[])[];
            readonly cutBefore: number;
            readonly cutAfter: number;
          }[];
          readonly pattern: string;
          readonly path: string;
          readonly offset: number;
          /** Lines of output, over all pages. */
          readonly total: number;
          readonly truncated: boolean;
          /** There were more results than are ever collected. */
          readonly capped: boolean;
          readonly context?: readonly {
            readonly path: string;
            readonly line: number;
            readonly kind: "match" | "context";
            readonly text: string;
            /** Ranges of the text that match, from and to. */
            readonly matches: readonly (readonly number[])[];
            readonly cutBefore: number;
            readonly cutAfter: number;
          }[];
          readonly overlong?: number;
          readonly glob?: string;
          readonly type?: string;
          readonly unreadable?: number;
        }
      | {
          readonly mode: "files_with_matches";
          readonly files: readonly string[];
          readonly pattern: string;
          readonly path: string;
          readonly offset: number;
          /** Lines of output, over all pages. */
          readonly total: number;
          readonly truncated: boolean;
          /** There were more results than are ever collected. */
          readonly capped: boolean;
          readonly glob?: string;
          readonly type?: string;
          readonly unreadable?: number;
        }
      | {
          readonly mode: "count";
          readonly counts: readonly {
            readonly path: string;
            readonly matches: number;
          }[];
          readonly totalMatches: number;
          readonly pattern: string;
          readonly path: string;
          readonly offset: number;
          /** Lines of output, over all pages. */
          readonly total: number;
          readonly truncated: boolean;
          /** There were more results than are ever collected. */
          readonly capped: boolean;
          readonly glob?: string;
          readonly type?: string;
          readonly unreadable?: number;
        };
  };
  readonly shell_kill: {
    readonly input: {
      /** The job's id. */
      readonly job: string;
    };
    readonly output: {
      readonly id: string;
      readonly command: string;
      readonly state: "running" | "done" | "failed" | "killed" | "timed-out" | "unknown";
      readonly exitCode: number | null;
      readonly signal: string | null;
      /** ISO 8601. */
      readonly startedAt: string;
      readonly identity: {
        readonly pid: number;
        readonly startedAt: string;
      };
      readonly isKept: boolean;
      readonly hasTerminal: boolean;
      readonly outputFile: string;
      /** ISO 8601. */
      readonly endedAt?: string;
      readonly isWaitingForInput?: boolean;
      readonly note?: string;
    };
  };
  readonly shell_output: {
    readonly input: {
      /** The job's id; leave it out to list all jobs. */
      readonly job?: string | undefined;
      /** Where to continue, as given by the last read; 0 is the start. Default: 0. */
      readonly cursor?: number | undefined;
      /** Return only lines that match this regular expression. */
      readonly pattern?: string | undefined;
      /** First wait until this local port is open. */
      readonly wait_for_port?: number | undefined;
      /** First wait until a line matches this regular expression. */
      readonly wait_for_line?: string | undefined;
      /** Maximum time to wait, in milliseconds. Default: 30000. */
      readonly timeout?: number | undefined;
    };
    readonly output:
      | {
          readonly jobs: readonly {
            readonly id: string;
            readonly command: string;
            readonly state: "running" | "done" | "failed" | "killed" | "timed-out" | "unknown";
            readonly exitCode: number | null;
            readonly signal: string | null;
            /** ISO 8601. */
            readonly startedAt: string;
            readonly identity: {
              readonly pid: number;
              readonly startedAt: string;
            };
            readonly isKept: boolean;
            readonly hasTerminal: boolean;
            readonly outputFile: string;
            /** ISO 8601. */
            readonly endedAt?: string;
            readonly isWaitingForInput?: boolean;
            readonly note?: string;
          }[];
        }
      | {
          readonly job: {
            readonly id: string;
            readonly command: string;
            readonly state: "running" | "done" | "failed" | "killed" | "timed-out" | "unknown";
            readonly exitCode: number | null;
            readonly signal: string | null;
            /** ISO 8601. */
            readonly startedAt: string;
            readonly identity: {
              readonly pid: number;
              readonly startedAt: string;
            };
            readonly isKept: boolean;
            readonly hasTerminal: boolean;
            readonly outputFile: string;
            /** ISO 8601. */
            readonly endedAt?: string;
            readonly isWaitingForInput?: boolean;
            readonly note?: string;
          };
          readonly text: string;
          /** Where to continue. */
          readonly cursor: number;
          readonly hasMore: boolean;
          readonly isCapped?: boolean;
          readonly readiness?: {
            readonly isReady: boolean;
            readonly reason: string;
            readonly job: {
              readonly id: string;
              readonly command: string;
              readonly state: "running" | "done" | "failed" | "killed" | "timed-out" | "unknown";
              readonly exitCode: number | null;
              readonly signal: string | null;
              /** ISO 8601. */
              readonly startedAt: string;
              readonly identity: {
                readonly pid: number;
                readonly startedAt: string;
              };
              readonly isKept: boolean;
              readonly hasTerminal: boolean;
              readonly outputFile: string;
              /** ISO 8601. */
              readonly endedAt?: string;
              readonly isWaitingForInput?: boolean;
              readonly note?: string;
            };
          };
        };
  };
  readonly shell_run: {
    readonly input: {
      /** The command, as bash reads it. */
      readonly command: string;
      /** Timeout in milliseconds; default 120000, 0 means the maximum of 600000. A background job has no timeout unless you give one. */
      readonly timeout?: number | undefined;
      /** Start it as a background job and return immediately; another tool reads its output. Default: false. */
      readonly run_in_background?: boolean | undefined;
      /** What the command does, in a few words, shown to the user. */
      readonly description?: string | undefined;
      /** Directory to run in; default: where the last command ended. */
      readonly cwd?: string | undefined;
      /** Move the command to the background if it still runs after this many milliseconds. */
      readonly background_after?: number | undefined;
      /** Let a background job outlive the session. Default: false. */
      readonly keep?: boolean | undefined;
      /** Run it in a terminal, for programs that need one. Default: false. */
      readonly pty?: boolean | undefined;
      /** What the sandbox lets the command do. Ask for more only after the sandbox has blocked a command; unless the mode allows it, the user is asked first. Default: "as-needed". */
      readonly rights?: "as-needed" | "workspace-write" | "network" | undefined;
    };
    readonly output:
      | {
          readonly started: {
            readonly id: string;
            readonly command: string;
            readonly state: "running" | "done" | "failed" | "killed" | "timed-out" | "unknown";
            readonly exitCode: number | null;
            readonly signal: string | null;
            /** ISO 8601. */
            readonly startedAt: string;
            readonly identity: {
              readonly pid: number;
              readonly startedAt: string;
            };
            readonly isKept: boolean;
            readonly hasTerminal: boolean;
            readonly outputFile: string;
            /** ISO 8601. */
            readonly endedAt?: string;
            readonly isWaitingForInput?: boolean;
            readonly note?: string;
          };
        }
      | {
          readonly exitCode: number | null;
          readonly signal: string | null;
          readonly stdout: string;
          readonly stderr: string;
          /** Bytes that were cut from each. */
          readonly omitted: {
            readonly stdout: number;
            readonly stderr: number;
          };
          readonly elapsedMs: number;
          /** Where the next command starts. */
          readonly directory: string;
          readonly notes: readonly string[];
          /** Where in outputFile the first of them are. */
          readonly omittedFrom?: {
            readonly line: number;
            readonly column?: number;
          };
          readonly endedBy?: "timeout" | "caller";
          readonly job?: {
            readonly id: string;
            readonly command: string;
            readonly state: "running" | "done" | "failed" | "killed" | "timed-out" | "unknown";
            readonly exitCode: number | null;
            readonly signal: string | null;
            /** ISO 8601. */
            readonly startedAt: string;
            readonly identity: {
              readonly pid: number;
              readonly startedAt: string;
            };
            readonly isKept: boolean;
            readonly hasTerminal: boolean;
            readonly outputFile: string;
            /** ISO 8601. */
            readonly endedAt?: string;
            readonly isWaitingForInput?: boolean;
            readonly note?: string;
          };
          /** File with the full output. */
          readonly outputFile?: string;
          readonly isFileCapped?: boolean;
          readonly category?: string;
        };
  };
  readonly skill_learn: {
    readonly input: {
      /** In lower case with dashes, such as release-notes. */
      readonly name: string;
      /** One line: what it is for and when to load it. */
      readonly description: string;
      /** The instructions, in Markdown. */
      readonly content: string;
      /** Files that the instructions refer to as references/<name>. Default: []. */
      readonly references?:
        | readonly {
            readonly name: string;
            readonly content: string;
          }[]
        | undefined;
    };
    readonly output: {
      readonly name: string;
      readonly files: readonly string[];
    };
  };
  readonly skill_load: {
    readonly input: {
      /** The skill's name. */
      readonly name: string;
    };
    readonly output: {
      readonly name: string;
      readonly description: string;
      /** Absolute. */
      readonly folder: string;
      readonly content: string;
      readonly references: readonly string[];
      readonly scripts: readonly string[];
      readonly assets: readonly string[];
      readonly otherFiles: readonly string[];
      readonly hasMoreFiles: boolean;
    };
  };
  readonly system_env: {
    readonly input: {
      /** Names of variables; without them, all on the list that are set. */
      readonly names?: readonly string[] | undefined;
    };
    readonly output: {
      readonly values: Readonly<Record<string, string>>;
      readonly unset: readonly string[];
      readonly withheld: readonly string[];
      readonly notListed: readonly string[];
    };
  };
  readonly system_info: {
    readonly input: Record<string, never>;
    readonly output: {
      readonly platform: string;
      readonly release: string;
      readonly arch: string;
      readonly cpus: number;
      readonly memory: {
        readonly totalBytes: number;
        readonly freeBytes: number;
      };
      readonly node: string;
      readonly sandbox: {
        readonly kind: string;
        readonly reason?: string;
      };
      readonly workspace: string;
      readonly programs: Readonly<Record<string, string>>;
      readonly shell?: string;
    };
  };
  readonly task_create: {
    readonly input: {
      /** What to do, in one line. */
      readonly title: string;
      /** Details needed to do it. */
      readonly description?: string | undefined;
      /** Ids of tasks that must be done first. Default: []. */
      readonly depends_on?: readonly string[] | undefined;
    };
    readonly output: {
      readonly id: string;
      readonly title: string;
      readonly status: "pending" | "in_progress" | "done" | "failed" | "cancelled";
      readonly dependsOn: readonly string[];
      /** Those of dependsOn that are not done yet. */
      readonly blockedBy: readonly string[];
      /** ISO 8601. */
      readonly createdAt: string;
      /** ISO 8601. */
      readonly updatedAt: string;
      readonly description?: string;
      readonly assignee?: string;
      readonly notes?: string;
    };
  };
  readonly task_list: {
    readonly input: Record<string, never>;
    readonly output: {
      readonly tasks: readonly {
        readonly id: string;
        readonly title: string;
        readonly status: "pending" | "in_progress" | "done" | "failed" | "cancelled";
        readonly dependsOn: readonly string[];
        /** Those of dependsOn that are not done yet. */
        readonly blockedBy: readonly string[];
        /** ISO 8601. */
        readonly createdAt: string;
        /** ISO 8601. */
        readonly updatedAt: string;
        readonly description?: string;
        readonly assignee?: string;
        readonly notes?: string;
      }[];
      readonly background: readonly {
        readonly kind: "job" | "agent";
        readonly id: string;
        readonly title: string;
        readonly status: "pending" | "in_progress" | "done" | "failed" | "cancelled";
        /** ISO 8601. */
        readonly startedAt: string;
        /** ISO 8601. */
        readonly endedAt?: string;
        readonly note?: string;
      }[];
    };
  };
  readonly task_update: {
    readonly input: {
      /** The task's id. */
      readonly id: string;
      /** The new status. */
      readonly status: "pending" | "in_progress" | "done" | "failed" | "cancelled";
      /** Ids of tasks that must be done first; replaces the current ones. */
      readonly depends_on?: readonly string[] | undefined;
      /** The outcome, or the reason for the status. */
      readonly notes?: string | undefined;
    };
    readonly output:
      | {
          readonly id: string;
          readonly title: string;
          readonly status: "pending" | "in_progress" | "done" | "failed" | "cancelled";
          readonly dependsOn: readonly string[];
          /** Those of dependsOn that are not done yet. */
          readonly blockedBy: readonly string[];
          /** ISO 8601. */
          readonly createdAt: string;
          /** ISO 8601. */
          readonly updatedAt: string;
          readonly description?: string;
          readonly assignee?: string;
          readonly notes?: string;
        }
      | {
          readonly kind: "job" | "agent";
          readonly id: string;
          readonly title: string;
          readonly status: "pending" | "in_progress" | "done" | "failed" | "cancelled";
          /** ISO 8601. */
          readonly startedAt: string;
          /** ISO 8601. */
          readonly endedAt?: string;
          readonly note?: string;
        };
  };
  readonly todo_read: {
    readonly input: Record<string, never>;
    readonly output: {
      readonly todos: readonly {
        readonly id: string;
        readonly title: string;
        readonly status: "pending" | "in_progress" | "completed" | "failed" | "cancelled";
        /** ISO 8601. */
        readonly createdAt: string;
        /** ISO 8601. */
        readonly updatedAt: string;
        readonly description?: string;
        readonly assignee?: string;
        readonly notes?: string;
      }[];
    };
  };
  readonly todo_write: {
    readonly input: {
      /** The whole list, in order. */
      readonly todos: readonly {
        /** The id of a todo that stays; leave it out for a new one. */
        readonly id?: string | undefined;
        /** What to do, in one line. */
        readonly title: string;
        /** Its status. Default: "pending". */
        readonly status?: "pending" | "in_progress" | "completed" | "failed" | "cancelled" | undefined;
        /** Who does it. */
        readonly assignee?: string | undefined;
        /** Details worth keeping. */
        readonly notes?: string | undefined;
      }[];
    };
    readonly output: {
      readonly todos: readonly {
        readonly id: string;
        readonly title: string;
        readonly status: "pending" | "in_progress" | "completed" | "failed" | "cancelled";
        /** ISO 8601. */
        readonly createdAt: string;
        /** ISO 8601. */
        readonly updatedAt: string;
        readonly description?: string;
        readonly assignee?: string;
        readonly notes?: string;
      }[];
    };
  };
  readonly tool_create: {
    readonly input: {
      /** In lower case, such as csv_totals; not that of a tool that is there. */
      readonly name: string;
      /** What it does and when to use it. */
      readonly description: string;
      /** JSON Schema of its input: an object with named parameters. */
      readonly input: Readonly<Record<string, unknown>>;
      readonly language: "javascript" | "typescript" | "shell";
      /** A module whose default export is (input, context) => output, or a bash script that prints its output. A script gets each parameter as $input_<name>, and all of them as JSON on its standard input. */
      readonly code: string;
      /** What a module uses of its context, such as files.readText, files.writeText, search.grep, web.read, processes.run. It has no other way to files or the network. Default: []. */
      readonly permissions?: readonly string[] | undefined;
      /** Calls with the output that is expected of each; they are run before anybody is asked. */
      readonly examples: readonly {
        readonly input: Readonly<Record<string, unknown>>;
        /** Exactly what it returns, or the text that a script prints. */
        readonly output:
          | Readonly<Record<string, unknown>>
          | readonly unknown[]
          | string
          | number
          | boolean
          | null;
        /** What its context answers, such as {"files.readText": {"text": "a"}}. */
        readonly context?: Readonly<Record<string, unknown>> | undefined;
      }[];
      /** In milliseconds. */
      readonly timeout?: number | undefined;
    };
    readonly output: {
      /** For `toolwright approve`. */
      readonly id: string;
      readonly name: string;
      readonly status: "active" | "proposed";
      readonly version: number;
    };
  };
  readonly tool_search: {
    readonly input: {
      /** What the tool should do or its name, such as 'fetch web page', or select:Name,OtherName. */
      readonly query: string;
      /** Maximum number of tools to find. Default: 10. */
      readonly limit?: number | undefined;
    };
    readonly output: {
      readonly query: string;
      readonly matches: readonly {
        readonly name: string;
        readonly description: string;
      }[];
      readonly missing: readonly {
        readonly name: string;
        readonly nearest: readonly string[];
      }[];
      /** All tools are offered anyway, so nothing was activated. */
      readonly allActive: boolean;
    };
  };
  readonly user_ask: {
    readonly input: {
      /** What to ask. */
      readonly question: string;
      /** What the user needs to know to answer. */
      readonly context?: string | undefined;
      /** The possible answers, if there are only a few. */
      readonly choices?: readonly string[] | undefined;
      /** The answer to continue with if nobody answers; one of the choices, if there are any. */
      readonly default?: string | undefined;
      /** How long to wait for the answer, in milliseconds. Default: 300000. */
      readonly timeout?: number | undefined;
    };
    readonly output: {
      readonly answer: string;
      readonly answeredBy: "person" | "default";
      readonly timedOut: boolean;
      /** Why the default was used. */
      readonly reason?: string;
    };
  };
  readonly web_fetch: {
    readonly input: {
      /** The whole address, beginning with https:// or http://. */
      readonly url: string;
      /** What you want to know: only the passages about it are returned, the best first. */
      readonly question?: string | undefined;
      /** The passage to start at, counted from 1; a part of a long page names the next one. Default: 1. */
      readonly offset?: number | undefined;
      /** Timeout in milliseconds. Default: 30000. */
      readonly timeout?: number | undefined;
    };
    readonly output:
      | {
          readonly kind: "markdown" | "text" | "json" | "image";
          readonly url: string;
          readonly contentType: string;
          /** ISO 8601. */
          readonly fetchedAt: string;
          readonly content: string;
          readonly offset: number;
          readonly passages: number;
          readonly totalPassages: number;
          readonly isSelection: boolean;
          readonly isCut: boolean;
          readonly title?: string;
          readonly isUnanswered?: boolean;
          readonly nextOffset?: number;
        }
      | {
          readonly kind: "redirect";
          readonly url: string;
          readonly redirect: string;
        }
      | {
          readonly kind: "image";
          readonly url: string;
          readonly contentType: string;
          readonly mimeType: string;
        };
  };
  readonly web_search: {
    readonly input: {
      /** What to search for. */
      readonly query: string;
      /** Maximum number of results. Default: 10. */
      readonly max_results?: number | undefined;
      /** Only results from these domains, such as example.com. */
      readonly allowed_domains?: readonly string[] | undefined;
      /** No results from these domains. */
      readonly blocked_domains?: readonly string[] | undefined;
    };
    readonly output: {
      readonly query: string;
      readonly results: readonly {
        readonly title: string;
        readonly url: string;
        readonly snippet: string;
        readonly date?: string;
      }[];
    };
  };
}
