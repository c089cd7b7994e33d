/** The exit codes of the process. Scripts depend on them, so they never change (decisions.md, "Command line"). */
export const exitCodes = {
  /** Done, or nothing to do. */
  done: 0,
  /** Something was wrong, or stopped. */
  failed: 1,
  /** There is a difference. */
  differs: 2,
  /** A build was canceled. */
  canceled: 2,
  /** Something could not be read, so the result is unknown; or the outcome of a write is unknown. */
  unknown: 3,
  /** Not tried: the command line, a file or a name is wrong, or a safety check failed. */
  refused: 4,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/**
 * A command was refused before it did anything. The message explains what to do instead, and never repeats text that
 * may be a token.
 */
export class CommandRefusedError extends Error {
  override readonly name = 'CommandRefusedError';
  /**
   * The command whose usage is printed with the message; an empty text for the general help. `undefined` prints
   * neither.
   */
  readonly usageCommand: string | undefined;

  /** Commands to run instead, each printed in a line of its own. */
  readonly hints: readonly string[];

  constructor(message: string, usageCommand?: string, hints: readonly string[] = []) {
    super(message);
    this.usageCommand = usageCommand;
    this.hints = hints;
  }
}
