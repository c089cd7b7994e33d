/** The component that writes a log line. A fixed set, so that the log can be filtered by it. */
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
  | 'projects'
  | 'sql';

/**
 * Structured data logged with a message. Must never contain a token, a header, a request or response body, or any other
 * text from a server. Failures are logged with `String(error)`, so error messages must not contain such data either.
 */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** The extension's log; `platform/` implements it with a VS Code log output channel. */
export interface Log {
  debug(tag: LogTag, message: string, fields?: LogFields): void;
  info(tag: LogTag, message: string, fields?: LogFields): void;
  warn(tag: LogTag, message: string, fields?: LogFields): void;
  error(tag: LogTag, message: string, fields?: LogFields): void;
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
