import type { Log, LogFields, LogTag } from '../../src/base/log.ts';

export interface LogEntry {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly tag: LogTag;
  readonly message: string;
  readonly fields: LogFields;
}

/** A log that stores its entries. */
export class MemoryLog implements Log {
  readonly entries: LogEntry[] = [];

  /** All entries as one text, to check that the log doesn't contain something. */
  get text(): string {
    return JSON.stringify(this.entries);
  }

  debug(tag: LogTag, message: string, fields: LogFields = {}): void {
    this.entries.push({ level: 'debug', tag, message, fields });
  }

  info(tag: LogTag, message: string, fields: LogFields = {}): void {
    this.entries.push({ level: 'info', tag, message, fields });
  }

  warn(tag: LogTag, message: string, fields: LogFields = {}): void {
    this.entries.push({ level: 'warn', tag, message, fields });
  }

  error(tag: LogTag, message: string, fields: LogFields = {}): void {
    this.entries.push({ level: 'error', tag, message, fields });
  }
}
