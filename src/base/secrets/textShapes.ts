import type { SecretRange } from './mask.ts';
import { isSecretByName } from './secretName.ts';

/** Finds secrets that are recognizable by their form, regardless of their name. */
export function findShapedSecrets(text: string): readonly SecretRange[] {
  return [
    ...findPemSecrets(text),
    ...findAddressSecrets(text),
    ...findPairSecrets(text),
    ...findTokenSecrets(text),
    ...findElementSecrets(text),
  ];
}

const beginKey = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d/g;

/** Finds private keys; one that is truncated extends to the end of the text. */
function findPemSecrets(text: string): readonly SecretRange[] {
  const found: SecretRange[] = [];
  const begin = new RegExp(beginKey.source, beginKey.flags);
  for (let match = begin.exec(text); match !== null; match = begin.exec(text)) {
    const close = match[0].startsWith('PuTTY') ? -1 : text.indexOf('-----END ', begin.lastIndex);
    const dashes = close < 0 ? -1 : text.indexOf('-----', close + '-----END '.length);
    const end = dashes < 0 ? text.length : dashes + '-----'.length;
    found.push({ start: match.index, end });
    begin.lastIndex = end;
  }
  return found;
}

/** Searches for a pattern from increasing offsets; all searches together scan the text only once. */
class Finder {
  readonly #text: string;
  readonly #pattern: RegExp;
  #found = -1;

  constructor(text: string, pattern: RegExp) {
    this.#text = text;
    this.#pattern = new RegExp(pattern.source, 'g');
  }

  /** The offset of the next match, or the length of the text if there is none. */
  findFrom(at: number): number {
    if (this.#found < at) {
      this.#pattern.lastIndex = at;
      this.#found = this.#pattern.exec(this.#text)?.index ?? this.#text.length;
    }
    return this.#found;
  }
}

/**
 * Finds secrets in URLs: `scheme://user:secret@host`. An unencoded secret can contain any character, so it ends at the
 * last "@" before the query: it is better to mask too much than too little.
 */
function findAddressSecrets(text: string): readonly SecretRange[] {
  const found: SecretRange[] = [];
  const blank = new Finder(text, /[\s<>]/);
  const quote = new Finder(text, /["'`\\]/);
  const stop = new Finder(text, /[/?#\s<>"'`\\]/);
  const next = new Finder(text, /:\/\//);
  for (let at = next.findFrom(0); at < text.length; at = next.findFrom(at)) {
    const start = at + '://'.length;
    const following = next.findFrom(start);
    // The secret cannot extend into the next URL.
    const end = Math.min(blank.findFrom(start), following < text.length ? following : text.length);
    const range = findUserSecret(
      text,
      start,
      { end, quote: quote.findFrom(start), stop: stop.findFrom(start) },
      getSchemeBefore(text, at),
    );
    found.push(...range);
    at = Math.max(start, range.at(-1)?.end ?? start);
  }
  return found;
}

const getSchemeBefore = (text: string, at: number): string =>
  /[A-Za-z][\w+.-]*$/.exec(text.slice(Math.max(0, at - 24), at))?.[0].toLowerCase() ?? '';

function findUserSecret(
  text: string,
  start: number,
  bounds: { readonly end: number; readonly quote: number; readonly stop: number },
  scheme: string,
): readonly SecretRange[] {
  const whole = text.slice(start, bounds.end);
  const inQuotes = text.slice(start, Math.min(bounds.end, bounds.quote));
  const address = inQuotes.includes('@') ? inQuotes : whole;
  const authority = text.slice(start, Math.min(bounds.end, bounds.stop));
  const colon = address.indexOf(':');
  const query = address.indexOf('?');
  const path = query < 0 ? address : address.slice(0, query);
  const last = path.includes('@') ? path.lastIndexOf('@') : address.lastIndexOf('@');
  if (last < 0) {
    return [];
  }
  const isNamed = colon >= 0 && colon <= authority.length && colon < last;
  if (!isNamed) {
    // A token may replace user and password, as in Git URLs.
    const user = authority.includes('@') ? authority.slice(0, authority.lastIndexOf('@')) : '';
    return /^(https?|git)$/.test(scheme) && user.length >= shortestToken
      ? [{ start, end: start + user.length }]
      : [];
  }
  if (
    /^:\d{1,5}(?:[/?#]|$)/.test(address.slice(colon, colon + 7)) &&
    !/^:\d{1,5}@/.test(address.slice(colon))
  ) {
    return [];
  }
  // If the password is empty, the user is a token.
  return last === colon + 1
    ? [{ start, end: start + colon }]
    : [{ start: start + colon + 1, end: start + last }];
}

const shortestToken = 20;

const maxPairLength = 1024;

/**
 * Finds `user/secret@host` after `oracle:thin:`, and `user:secret@host` in proxy settings and DSNs without a scheme.
 */
function findPairSecrets(text: string): readonly SecretRange[] {
  const oracle = [...text.matchAll(/oracle:(?:thin|oci8?|kprb):[\w$#."]{1,128}\//gi)].flatMap(
    ({ 0: all, index }) => getRangeToLastAt(text, index + all.length),
  );
  const dsn = /^\s{0,8}(?!(?:jdbc|odbc|mailto|arn|urn):)[\w$#.+%-]{1,128}:(?![/\\]|\w{1,24}:\/\/)/i.exec(
    text,
  );
  return dsn === null ? oracle : [...oracle, ...getRangeToLastAt(text, dsn[0].length)];
}

/** Finds `user/secret@host`, as used by SQL*Plus. Only for connection strings: elsewhere it may be a file path. */
export function findSlashSecrets(text: string): readonly SecretRange[] {
  const user = /^\s{0,8}[\w$#."]{1,128}\/(?!\/)/.exec(text);
  return user === null ? [] : getRangeToLastAt(text, user[0].length);
}

function getRangeToLastAt(text: string, start: number): readonly SecretRange[] {
  const [word = ''] = /^\S*/.exec(text.slice(start, start + maxPairLength)) ?? [];
  const at = word.lastIndexOf('@');
  return at > 0 ? [{ start, end: start + at }] : [];
}

/** Matches tokens with a known prefix, such as those of GitHub. */
const tokens = [
  // JSON Web Tokens, including encrypted ones.
  /(?<![\w-])eyJ[\w-]{6,}\.[\w-]*(?:\.[\w-]*){0,3}/g,
  /(?<![\w-])(?:gh[pousr]_\w{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|xox[a-z]-[\w-]{10,}|dapi[0-9a-f]{16,}(?:-\d)?)/g,
  /(?<![\w-])(?:AIza[\w-]{30,}|ya29\.[\w.-]{10,}|GOCSPX-[\w-]{10,}|(?:sk|rk)_(?:live|test)_\w{10,}|shp(?:at|ca|pa|ss)_\w{16,}|sk-[\w-]{20,}|pat[A-Za-z0-9]{14}\.[0-9a-f]{32,})/g,
  /(?<![\w/-])1\/\/0[\w-]{16,}/g,
] as const;

const schemes = /\b(Bearer|ApiKey|SSWS|Negotiate|Basic|Token)\s{1,8}([\w.~+/=-]{6,})/gi;

/** True for a token, false for a word as in "Basic authentication". */
const isOpaque = (value: string): boolean =>
  /\d|[+/=]/.test(value) || /[a-z][A-Z]/.test(value) || value.length > 24;

function findTokenSecrets(text: string): readonly SecretRange[] {
  const known = tokens.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ 0: all, index }) => ({ start: index, end: index + all.length })),
  );
  const schemed = [...text.matchAll(schemes)].flatMap(({ 0: all, 2: value = '', index }) =>
    isOpaque(value) ? [{ start: index + all.length - value.length, end: index + all.length }] : [],
  );
  return [...known, ...schemed];
}

/** Finds XML elements such as `<password>secret</password>`, including CDATA sections. */
function findElementSecrets(text: string): readonly SecretRange[] {
  return [
    ...text.matchAll(/<([\w:.-]{1,64})(?:\s[^<>]{0,256})?>(?:<!\[CDATA\[)?([^<>]{1,65536}?)(\]\]>)?</g),
  ].flatMap(({ 0: all, 1: name = '', 2: value = '', 3: tail = '', index }) => {
    const start = index + all.length - 1 - tail.length - value.length;
    return value.trim() !== '' && isSecretByName(name, value.trim())
      ? [{ start, end: start + value.length }]
      : [];
  });
}
