/** Who writes a log line. Closed, so that a reader can filter by it. */
export type LogTag =
  | 'http'
  | 'connections'
  | 'catalog'
  | 'builds'
  | 'documents'
  | 'explorer'
  | 'sandbox'
  | 'access'
  | 'diagram'
  | 'commands'
  | 'webviews'
  | 'writes'
  | 'sql';

/** Facts beside the message. Never a token, a header or a body. */
export type LogFacts = Readonly<Record<string, string | number | boolean | undefined>>;

/** Where the product writes what happened; `platform/` adapts it to a VS Code log channel. */
export interface Log {
  debug(tag: LogTag, message: string, facts?: LogFacts): void;
  info(tag: LogTag, message: string, facts?: LogFacts): void;
  warn(tag: LogTag, message: string, facts?: LogFacts): void;
  error(tag: LogTag, message: string, facts?: LogFacts): void;
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
