import type { SecretRange } from './mask.ts';
import { isSecretByName } from './secretName.ts';

/** Finds secrets in a text by their format, and those in XML elements also by the name of the element. */
export function findSecretsByPattern(text: string): readonly SecretRange[] {
  return [
    ...findPrivateKeys(text),
    ...findUrlSecrets(text),
    ...findDsnSecrets(text),
    ...findTokenSecrets(text),
    ...findElementSecrets(text),
  ];
}

const privateKeyStart = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d/g;

/** Finds private keys. One without an end marker, as of PuTTY or truncated, extends to the end of the text. */
function findPrivateKeys(text: string): readonly SecretRange[] {
  const ranges: SecretRange[] = [];
  const startPattern = new RegExp(privateKeyStart.source, privateKeyStart.flags);
  for (let match = startPattern.exec(text); match !== null; match = startPattern.exec(text)) {
    const endMarkerOffset = match[0].startsWith('PuTTY')
      ? -1
      : text.indexOf('-----END ', startPattern.lastIndex);
    const closingDashesOffset =
      endMarkerOffset < 0 ? -1 : text.indexOf('-----', endMarkerOffset + '-----END '.length);
    const end = closingDashesOffset < 0 ? text.length : closingDashesOffset + '-----'.length;
    ranges.push({ start: match.index, end });
    startPattern.lastIndex = end;
  }
  return ranges;
}

/** Searches for a pattern from increasing offsets; all searches together scan the text only once. */
class ForwardSearch {
  readonly #text: string;
  readonly #pattern: RegExp;
  #matchOffset = -1;

  constructor(text: string, pattern: RegExp) {
    this.#text = text;
    this.#pattern = new RegExp(pattern.source, 'g');
  }

  /** The offset of the next match, or the length of the text if there is none. */
  findFrom(offset: number): number {
    if (this.#matchOffset < offset) {
      this.#pattern.lastIndex = offset;
      this.#matchOffset = this.#pattern.exec(this.#text)?.index ?? this.#text.length;
    }
    return this.#matchOffset;
  }
}

/**
 * Finds secrets in URLs: `scheme://user:secret@host`. An unencoded secret can contain any character, so it ends at the
 * last "@" before the query: it is better to mask too much than too little.
 */
function findUrlSecrets(text: string): readonly SecretRange[] {
  const ranges: SecretRange[] = [];
  const urlEndSearch = new ForwardSearch(text, /[\s<>]/);
  const quoteSearch = new ForwardSearch(text, /["'`\\]/);
  const authorityEndSearch = new ForwardSearch(text, /[/?#\s<>"'`\\]/);
  const schemeEndSearch = new ForwardSearch(text, /:\/\//);
  for (
    let schemeEnd = schemeEndSearch.findFrom(0);
    schemeEnd < text.length;
    schemeEnd = schemeEndSearch.findFrom(schemeEnd)
  ) {
    const start = schemeEnd + '://'.length;
    const nextSchemeEnd = schemeEndSearch.findFrom(start);
    // The secret cannot extend into the next URL.
    const end = Math.min(
      urlEndSearch.findFrom(start),
      nextSchemeEnd < text.length ? nextSchemeEnd : text.length,
    );
    const urlRanges = findUserInfoSecret(
      text,
      start,
      { end, quoteOffset: quoteSearch.findFrom(start), authorityEnd: authorityEndSearch.findFrom(start) },
      getSchemeBefore(text, schemeEnd),
    );
    ranges.push(...urlRanges);
    schemeEnd = Math.max(start, urlRanges.at(-1)?.end ?? start);
  }
  return ranges;
}

const getSchemeBefore = (text: string, schemeEnd: number): string =>
  /[A-Za-z][\w+.-]*$/.exec(text.slice(Math.max(0, schemeEnd - 24), schemeEnd))?.[0].toLowerCase() ?? '';

/** Finds the secret in the user information of a URL: the password, or a token in its place. */
function findUserInfoSecret(
  text: string,
  start: number,
  bounds: { readonly end: number; readonly quoteOffset: number; readonly authorityEnd: number },
  scheme: string,
): readonly SecretRange[] {
  const textToEnd = text.slice(start, bounds.end);
  const textToQuote = text.slice(start, Math.min(bounds.end, bounds.quoteOffset));
  const address = textToQuote.includes('@') ? textToQuote : textToEnd;
  const authority = text.slice(start, Math.min(bounds.end, bounds.authorityEnd));
  const colonOffset = address.indexOf(':');
  const queryOffset = address.indexOf('?');
  const textBeforeQuery = queryOffset < 0 ? address : address.slice(0, queryOffset);
  const lastAtOffset = textBeforeQuery.includes('@')
    ? textBeforeQuery.lastIndexOf('@')
    : address.lastIndexOf('@');
  if (lastAtOffset < 0) {
    return [];
  }
  const hasUserAndSecret = colonOffset >= 0 && colonOffset <= authority.length && colonOffset < lastAtOffset;
  if (!hasUserAndSecret) {
    // A token may replace user and password, as in Git URLs.
    const user = authority.includes('@') ? authority.slice(0, authority.lastIndexOf('@')) : '';
    return /^(https?|git)$/.test(scheme) && user.length >= minTokenLength
      ? [{ start, end: start + user.length }]
      : [];
  }
  if (
    // The colon is before a port, not before a password.
    /^:\d{1,5}(?:[/?#]|$)/.test(address.slice(colonOffset, colonOffset + 7)) &&
    !/^:\d{1,5}@/.test(address.slice(colonOffset))
  ) {
    return [];
  }
  // If the password is empty, the user is a token.
  return lastAtOffset === colonOffset + 1
    ? [{ start, end: start + colonOffset }]
    : [{ start: start + colonOffset + 1, end: start + lastAtOffset }];
}

const minTokenLength = 20;

const maxCredentialLength = 1024;

/**
 * Finds `user/secret@host` after `oracle:thin:`, and `user:secret@host` in proxy settings and DSNs without a scheme.
 */
function findDsnSecrets(text: string): readonly SecretRange[] {
  const oracleRanges = [...text.matchAll(/oracle:(?:thin|oci8?|kprb):[\w$#."]{1,128}\//gi)].flatMap(
    ({ 0: matchedText, index }) => getRangeToLastAtSign(text, index + matchedText.length),
  );
  const dsnPrefix =
    /^\s{0,8}(?!(?:jdbc|odbc|mailto|arn|urn):)[\w$#.+%-]{1,128}:(?![/\\]|\w{1,24}:\/\/)/i.exec(text);
  return dsnPrefix === null
    ? oracleRanges
    : [...oracleRanges, ...getRangeToLastAtSign(text, dsnPrefix[0].length)];
}

/** Finds `user/secret@host`, as used by SQL*Plus. Only for connection strings: elsewhere it may be a file path. */
export function findSqlPlusPasswords(text: string): readonly SecretRange[] {
  const userPrefix = /^\s{0,8}[\w$#."]{1,128}\/(?!\/)/.exec(text);
  return userPrefix === null ? [] : getRangeToLastAtSign(text, userPrefix[0].length);
}

function getRangeToLastAtSign(text: string, start: number): readonly SecretRange[] {
  const [word = ''] = /^\S*/.exec(text.slice(start, start + maxCredentialLength)) ?? [];
  const atOffset = word.lastIndexOf('@');
  return atOffset > 0 ? [{ start, end: start + atOffset }] : [];
}

/** Matches tokens with a known prefix, such as those of GitHub. */
const tokenPatterns = [
  // JSON Web Tokens, including encrypted ones.
  /(?<![\w-])eyJ[\w-]{6,}\.[\w-]*(?:\.[\w-]*){0,3}/g,
  /(?<![\w-])(?:gh[pousr]_\w{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|xox[a-z]-[\w-]{10,}|dapi[0-9a-f]{16,}(?:-\d)?)/g,
  /(?<![\w-])(?:AIza[\w-]{30,}|ya29\.[\w.-]{10,}|GOCSPX-[\w-]{10,}|(?:sk|rk)_(?:live|test)_\w{10,}|shp(?:at|ca|pa|ss)_\w{16,}|sk-[\w-]{20,}|pat[A-Za-z0-9]{14}\.[0-9a-f]{32,})/g,
  /(?<![\w/-])1\/\/0[\w-]{16,}/g,
] as const;

const authSchemePattern = /\b(Bearer|ApiKey|SSWS|Negotiate|Basic|Token)\s{1,8}([\w.~+/=-]{6,})/gi;

/** True for a token, false for a word as in "Basic authentication". */
const looksLikeToken = (value: string): boolean =>
  /\d|[+/=]/.test(value) || /[a-z][A-Z]/.test(value) || value.length > 24;

function findTokenSecrets(text: string): readonly SecretRange[] {
  const prefixedTokens = tokenPatterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ 0: matchedText, index }) => ({
      start: index,
      end: index + matchedText.length,
    })),
  );
  const authSchemeTokens = [...text.matchAll(authSchemePattern)].flatMap(
    ({ 0: matchedText, 2: value = '', index }) =>
      looksLikeToken(value)
        ? [{ start: index + matchedText.length - value.length, end: index + matchedText.length }]
        : [],
  );
  return [...prefixedTokens, ...authSchemeTokens];
}

/** Finds XML elements such as `<password>secret</password>`, including CDATA sections. */
function findElementSecrets(text: string): readonly SecretRange[] {
  return [
    ...text.matchAll(/<([\w:.-]{1,64})(?:\s[^<>]{0,256})?>(?:<!\[CDATA\[)?([^<>]{1,65536}?)(\]\]>)?</g),
  ].flatMap(({ 0: matchedText, 1: name = '', 2: value = '', 3: cdataEnd = '', index }) => {
    const start = index + matchedText.length - 1 - cdataEnd.length - value.length;
    return value.trim() !== '' && isSecretByName(name, value.trim())
      ? [{ start, end: start + value.length }]
      : [];
  });
}
