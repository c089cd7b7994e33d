import type { LogOutputChannel } from 'vscode';
import type { Log, LogFields, LogTag } from '../base/log.ts';

type Level = 'debug' | 'info' | 'warn' | 'error';
type Mask = (text: string) => string;

/** Matches texts that may contain a secret: a value after a name, a URL with a user, JSON, a key, a header. */
const secretHintPattern = /[=:@{]|begin|bearer|basic/i;

/**
 * Writes log entries to a VS Code log channel, one line per entry: tag, message, fields. The masking code is loaded
 * with the first line that may contain a secret; later lines are queued until then.
 */
export class ChannelLog implements Log {
  readonly #channel: LogOutputChannel;
  #mask: Mask | undefined;
  #pendingWrites: Promise<void> | undefined;
  #pendingCount = 0;

  constructor(channel: LogOutputChannel) {
    this.#channel = channel;
  }

  debug(tag: LogTag, message: string, fields?: LogFields): void {
    this.#write('debug', tag, message, fields);
  }

  info(tag: LogTag, message: string, fields?: LogFields): void {
    this.#write('info', tag, message, fields);
  }

  warn(tag: LogTag, message: string, fields?: LogFields): void {
    this.#write('warn', tag, message, fields);
  }

  error(tag: LogTag, message: string, fields?: LogFields): void {
    this.#write('error', tag, message, fields);
  }

  #write(level: Level, tag: LogTag, message: string, fields: LogFields = {}): void {
    if (this.#mask !== undefined) {
      this.#channel[level](formatLine(tag, message, fields, this.#mask));
    } else if (this.#pendingWrites === undefined && !needsMask(message, fields)) {
      this.#channel[level](formatLine(tag, message, fields, identity));
    } else {
      this.#pendingCount += 1;
      this.#pendingWrites = this.#writeLater(this.#pendingWrites, (mask) =>
        this.#channel[level](formatLine(tag, message, fields, mask)),
      );
    }
  }

  async #writeLater(previousWrites: Promise<void> | undefined, write: (mask: Mask) => void): Promise<void> {
    await previousWrites;
    try {
      const { maskText } = await import('../base/secrets/maskSecrets.ts');
      write(maskText);
      // Later lines may be written directly only after the last queued line.
      this.#mask = this.#pendingCount === 1 ? maskText : undefined;
    } catch (error) {
      this.#channel.error(`[log] A line was left out: ${error instanceof Error ? error.name : 'unknown'}`);
    } finally {
      this.#pendingCount -= 1;
    }
  }
}

const needsMask = (message: string, fields: LogFields): boolean =>
  [message, ...Object.values(fields)].some(
    (text) => typeof text === 'string' && secretHintPattern.test(text),
  );

const identity: Mask = (text) => text;

/**
 * Leaves out the message of a file error: a message about a document is for the user and may contain text of a server.
 * VS Code quotes it in its own error if the document can't be opened.
 */
const withoutFileErrorMessage = (text: string): string =>
  text.replace(/(?<=\b\w+ \(FileSystemError\)).*$/s, '');

function formatLine(tag: LogTag, message: string, fields: LogFields, mask: Mask): string {
  const definedFields = Object.entries(fields).filter(([, value]) => value !== undefined);
  // Fields come from the extension's own code, but a reason may be the message of any error.
  const formattedFields = definedFields.map(
    ([name, value]) =>
      `${name}=${JSON.stringify(typeof value === 'string' ? mask(withoutFileErrorMessage(value)) : value)}`,
  );
  return [`[${tag}] ${mask(message)}`, ...formattedFields].join(' ');
}
