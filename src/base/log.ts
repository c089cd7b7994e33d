/** The source of a log line. A closed set, so that readers can filter by it. */
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

/** Facts attached to the message. Never a token, a header or a body. */
export type LogFacts = Readonly<Record<string, string | number | boolean | undefined>>;

/** The product's log; `platform/` adapts it to a VS Code log channel. */
export interface Log {
  debug(tag: LogTag, message: string, facts?: LogFacts): void;
  info(tag: LogTag, message: string, facts?: LogFacts): void;
  warn(tag: LogTag, message: string, facts?: LogFacts): void;
  error(tag: LogTag, message: string, facts?: LogFacts): void;
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
