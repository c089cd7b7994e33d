/** What the process ends with. Scripts depend on them, so they never change (design.md, section 17). */
export const exitCodes = {
  /** Done, or nothing to do. */
  done: 0,
  /** Something was wrong, or stopped. */
  failed: 1,
  /** There is a difference: `plan`, `drift`, `pull` with conflicts. */
  differs: 2,
  /** Could not be read, so nobody can say; or it is not known what became of a write. */
  unknown: 3,
  /** Not tried: the command line, a file or a name is wrong, or a guard says no. */
  refused: 4,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Something that was not tried, in words that say what to do instead. They never repeat what may be a token. */
export class CommandRefusedError extends Error {
  override readonly name = 'Refusal';
  /** Where a short usage helps: the command that was meant. */
  readonly usageCommand: string | undefined;

  constructor(message: string, usageOf?: string) {
    super(message);
    this.usageCommand = usageOf;
  }
}
