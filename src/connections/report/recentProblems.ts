import type { Clock } from '../../base/clock.ts';
import type { Log, LogFields, LogTag } from '../../base/log.ts';

/** A problem as included in issue reports: contains no data of an instance, a user or a document. */
export interface ReportedProblem {
  readonly time: number;
  readonly tag: LogTag;
  readonly message: string;
  /** Identifiers of this extension (an endpoint, a command, a code, an error class), and a status. */
  readonly identifiers: readonly string[];
}

const maxRecent = 20;
const firstErrorStatus = 400;

/** Log fields whose values are identifiers of this extension, never names that users have chosen. */
const identifierFields = ['endpoint', 'command', 'code'] as const;
const identifierPattern = /^[A-Za-z][\w.-]{0,60}$/;

/** Forwards to the log and remembers the latest warnings and errors, for issue reports. */
export class RecentProblems implements Log {
  readonly #log: Log;
  readonly #clock: Clock;
  #recent: readonly ReportedProblem[] = [];

  constructor(log: Log, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  /** The latest warnings and errors, oldest first. */
  get recent(): readonly ReportedProblem[] {
    return this.#recent;
  }

  debug(tag: LogTag, message: string, fields?: LogFields): void {
    this.#log.debug(tag, message, fields);
    // Responses that report an error are logged like any other response, so only their status distinguishes them.
    if (tag === 'http' && Number(fields?.['status']) >= firstErrorStatus) {
      this.#remember(tag, message, fields);
    }
  }

  info(tag: LogTag, message: string, fields?: LogFields): void {
    this.#log.info(tag, message, fields);
  }

  warn(tag: LogTag, message: string, fields?: LogFields): void {
    this.#log.warn(tag, message, fields);
    this.#remember(tag, message, fields);
  }

  error(tag: LogTag, message: string, fields?: LogFields): void {
    this.#log.error(tag, message, fields);
    this.#remember(tag, message, fields);
  }

  #remember(tag: LogTag, message: string, fields: LogFields = {}): void {
    const problem = { time: this.#clock.now(), tag, message, identifiers: getIdentifiers(fields) };
    this.#recent = [...this.#recent, problem].slice(-maxRecent);
  }
}

/** The values that may be reported: identifiers and the status; of a reason, only its error class. */
function getIdentifiers(fields: LogFields): readonly string[] {
  const names = identifierFields.flatMap((name) => {
    const value = fields[name];
    return typeof value === 'string' && identifierPattern.test(value) ? [value] : [];
  });
  const status = fields['status'];
  const { reason } = fields;
  const errorClass =
    typeof reason === 'string' ? /^([A-Z][A-Za-z]{0,40}Error)\b/.exec(reason)?.[1] : undefined;
  return [
    ...names,
    ...(typeof status === 'number' ? [String(status)] : []),
    ...(errorClass === undefined ? [] : [errorClass]),
  ];
}
