import type { Clock } from '../../base/clock.ts';
import type { Log, LogFacts, LogTag } from '../../base/log.ts';

/** What went wrong, by its kind alone: nothing of an instance, a person or a document is in it. */
export interface ProblemKind {
  readonly at: number;
  readonly tag: LogTag;
  readonly message: string;
  /** Names of our own: an endpoint, a command, a code, a class of errors, a status. */
  readonly kinds: readonly string[];
}

const maxRecent = 20;
const firstErrorStatus = 400;

/** Facts whose values are names of our own, never of what somebody else has named. */
const ownNames = ['endpoint', 'command', 'code'] as const;
const ownName = /^[A-Za-z][\w.-]{0,60}$/;

/** Hands the log on and remembers the last warnings and errors by their kinds, for reports of issues. */
export class RecentProblems implements Log {
  readonly #log: Log;
  readonly #clock: Clock;
  #recent: readonly ProblemKind[] = [];

  constructor(log: Log, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  /** The last ones, the oldest first. */
  get recent(): readonly ProblemKind[] {
    return this.#recent;
  }

  debug(tag: LogTag, message: string, facts?: LogFacts): void {
    this.#log.debug(tag, message, facts);
    // An answer that refuses is no more than an answer to the log.
    if (tag === 'http' && Number(facts?.['status']) >= firstErrorStatus) {
      this.#remember(tag, message, facts);
    }
  }

  info(tag: LogTag, message: string, facts?: LogFacts): void {
    this.#log.info(tag, message, facts);
  }

  warn(tag: LogTag, message: string, facts?: LogFacts): void {
    this.#log.warn(tag, message, facts);
    this.#remember(tag, message, facts);
  }

  error(tag: LogTag, message: string, facts?: LogFacts): void {
    this.#log.error(tag, message, facts);
    this.#remember(tag, message, facts);
  }

  #remember(tag: LogTag, message: string, facts: LogFacts = {}): void {
    const problem = { at: this.#clock.now(), tag, message, kinds: getProblemKinds(facts) };
    this.#recent = [...this.#recent, problem].slice(-maxRecent);
  }
}

/** What may be told of the facts: names of our own and numbers; of a reason, only which class of error it is. */
function getProblemKinds(facts: LogFacts): readonly string[] {
  const names = ownNames.flatMap((name) => {
    const value = facts[name];
    return typeof value === 'string' && ownName.test(value) ? [value] : [];
  });
  const status = facts['status'];
  const { reason } = facts;
  const errorClass =
    typeof reason === 'string' ? /^([A-Z][A-Za-z]{0,40}Error)\b/.exec(reason)?.[1] : undefined;
  return [
    ...names,
    ...(typeof status === 'number' ? [String(status)] : []),
    ...(errorClass === undefined ? [] : [errorClass]),
  ];
}
