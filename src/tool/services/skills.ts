/** Instructions for particular work, each in a folder with a SKILL.md, read when they are needed. */
export interface Skills {
  list(): Promise<readonly SkillSummary[]>;
  load(name: string): Promise<Skill>;
}

export interface SkillSummary {
  /** The name of its folder. */
  readonly name: string;
  /** One line, without anything that a terminal would obey. */
  readonly description: string;
  /** Absolute. */
  readonly folder: string;
}

export interface Skill extends SkillSummary {
  /** What SKILL.md says after its front matter. */
  readonly content: string;
  /** The files in the folders of these names and all others, by their paths from the skill's folder. */
  readonly references: readonly string[];
  readonly scripts: readonly string[];
  readonly assets: readonly string[];
  readonly otherFiles: readonly string[];
  /** There are more files than are listed. */
  readonly hasMoreFiles: boolean;
}
