import type { LogOutputChannel } from 'vscode';
import type { Log, LogFacts, LogTag } from '../base/log.ts';
import { maskText } from '../secrets/maskSecrets.ts';

/** Writes the product's log to a VS Code log channel, one line an entry: tag, message, facts. */
export class ChannelLog implements Log {
  readonly #channel: LogOutputChannel;

  constructor(channel: LogOutputChannel) {
    this.#channel = channel;
  }

  debug(tag: LogTag, message: string, facts?: LogFacts): void {
    this.#channel.debug(line(tag, message, facts));
  }

  info(tag: LogTag, message: string, facts?: LogFacts): void {
    this.#channel.info(line(tag, message, facts));
  }

  warn(tag: LogTag, message: string, facts?: LogFacts): void {
    this.#channel.warn(line(tag, message, facts));
  }

  error(tag: LogTag, message: string, facts?: LogFacts): void {
    this.#channel.error(line(tag, message, facts));
  }
}

function line(tag: LogTag, message: string, facts: LogFacts = {}): string {
  const pairs = Object.entries(facts).filter(([, value]) => value !== undefined);
  const texts = pairs.map(([name, value]) => `${name}=${JSON.stringify(plain(value))}`);
  return [`[${tag}] ${maskText(message)}`, ...texts].join(' ');
}

/** Facts are of our own making, but a reason may repeat what a server said. */
const plain = (value: LogFacts[string]): LogFacts[string] =>
  typeof value === 'string' ? maskText(value) : value;
