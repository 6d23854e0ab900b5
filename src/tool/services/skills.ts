/** Instructions for a particular kind of work, each in a folder with a SKILL.md, read when needed. */
export interface Skills {
  list(): Promise<readonly SkillSummary[]>;
  load(name: string): Promise<Skill>;
}

export interface SkillSummary {
  /** The name of its folder. */
  readonly name: string;
  /** One line, without control characters. */
  readonly description: string;
  /** Absolute. */
  readonly folder: string;
}

export interface Skill extends SkillSummary {
  /** The body of SKILL.md, after its front matter. */
  readonly content: string;
  /** Files in the folders of these names, and all other files, relative to the skill's folder. */
  readonly references: readonly string[];
  readonly scripts: readonly string[];
  readonly assets: readonly string[];
  readonly otherFiles: readonly string[];
  /** There are more files than are listed. */
  readonly hasMoreFiles: boolean;
}
