import type { SecretRange } from './mask.ts';
import { isSecretByName } from './secretName.ts';

/** The certainty that a name must have: in prose, "key: …" is no secret. */
export type Certainty = 'doubt' | 'sure';

const maxLookBehind = 96;

/**
 * Finds the values that a text assigns to secret names: connection strings (`Password="a;b"`, `PWD={a;b}`), URL
 * queries, `name: value`, command line options, truncated JSON, headers. A terminator only ends a value if what follows
 * is not part of it: a password may hold any character.
 */
export function findAssignedSecrets(text: string, level: Certainty): readonly SecretRange[] {
  const found: SecretRange[] = [];
  const assignment = /[=:]/g;
  for (let match = assignment.exec(text); match !== null; match = assignment.exec(text)) {
    const value = findSecretAt(text, match.index, level);
    if (value !== undefined) {
      found.push(value);
      assignment.lastIndex = Math.max(value.end, assignment.lastIndex);
    }
  }
  return [...found, ...findOptionSecrets(text)];
}

function findSecretAt(text: string, at: number, level: Certainty): SecretRange | undefined {
  const isColon = text[at] === ':';
  // A backslash may begin a quote in JSON text; elsewhere it begins a path.
  if (isColon && /^:(?:[:/]|\\(?!\\{0,15}["'`]))/.test(text.slice(at, at + 18))) {
    return undefined;
  }
  const names = getNamesBefore(text, at, isColon);
  if (names.length === 0) {
    return undefined;
  }
  // Finding the end of the value is only worthwhile if the name may be that of a secret.
  const name = names.find((one) => isSecretByName(one, opaque, level) || isSecretByName(one, 'x', level));
  if (name === undefined) {
    return undefined;
  }
  const value = findValueAfter(text, at, { isColon, isLine: lineNames.test(name) });
  const assignedText = value && text.slice(value.start, value.end);
  if (
    value === undefined ||
    assignedText === undefined ||
    assignedText.trim() === '' ||
    !isSecretByName(name, assignedText, level)
  ) {
    return undefined;
  }
  return level === 'sure' && isColon && isProse(name, assignedText) ? undefined : value;
}

/** A value that can only be a secret. */
const opaque = 'Zx9-secret';

/** "Unexpected token: word" contains no secret. */
const isProse = (name: string, value: string): boolean =>
  !/pass|pwd/i.test(name) && /^[A-Za-z"' ,.()-]*$/.test(value);

/** The values after these names contain separators of their own. */
const lineNames = /cookie$|authorization$/i;

/** The possible names of a value: all words before it (`Account Key`), or the last one (`user=u password`). */
function getNamesBefore(text: string, at: number, isColon: boolean): readonly string[] {
  const before = text.slice(Math.max(0, at - maxLookBehind), at);
  const quoted = /(\\*["'`])([^"'`\\]{1,64})\1\s{0,8}$/.exec(before);
  if (quoted !== null) {
    return [quoted[2] ?? ''];
  }
  const [phrase = ''] = /[\p{L}\p{N}_.: @/$-]*$/u.exec(before.replace(/[\s\]"'`\\]{1,8}$/, '')) ?? [];
  const trimmed = phrase.trim();
  const last = /[^\s:/@]*$/.exec(trimmed)?.[0] ?? '';
  if (isColon && /[:/]$/.test(trimmed.slice(0, trimmed.length - last.length))) {
    // Part of an address or of another ID, such as arn:aws:…:secret:name.
    return [];
  }
  const whole = trimmed.slice(trimmed.lastIndexOf(':') + 1);
  return /^\p{L}+( \p{L}+){1,4}$/u.test(whole) ? [whole, last] : last === '' ? [] : [last];
}

function findValueAfter(
  text: string,
  at: number,
  { isColon, isLine }: { readonly isColon: boolean; readonly isLine: boolean },
): SecretRange | undefined {
  const [gap = ''] = /^>?[ \t]{0,8}/.exec(text.slice(at + 1, at + 10)) ?? [];
  const start = at + 1 + gap.length;
  if (text[start] === '=' || start >= text.length) {
    return undefined;
  }
  const quote = /^\\{0,16}["'`]/.exec(text.slice(start, start + 17))?.[0];
  if (quote !== undefined) {
    return { start: start + quote.length, end: findQuoteEnd(text, start + quote.length, quote) };
  }
  if (text[start] === '{' || text[start] === '[') {
    return isColon || text[start] === '['
      ? undefined
      : { start: start + 1, end: findBraceEnd(text, start + 1) };
  }
  return {
    start,
    end: isLine ? findEnd(text, lineEnd, start) : findEnd(text, isColon ? colonEnd : plainEnd, start),
  };
}

/** A quote ends a value if what follows cannot be part of it; a doubled or backslash-escaped quote is part of it. */
function findQuoteEnd(text: string, start: number, quote: string): number {
  const isEscaped = quote.length > 1;
  for (let at = text.indexOf(quote, start); at >= 0; at = text.indexOf(quote, at)) {
    const after = text.slice(at + quote.length, at + quote.length + 1);
    if (!isEscaped && text[at - 1] === '\\' && at > start) {
      at += 1;
    } else if (!isEscaped && after === quote) {
      at += 2;
    } else if (after === '' || /[\s;,&:}\])/>=|"'`\\]/.test(after)) {
      return at;
    } else {
      at += quote.length;
    }
  }
  return text.length;
}

/** `{a;b}` in ODBC, where `}}` is one brace. */
function findBraceEnd(text: string, start: number): number {
  for (let at = text.indexOf('}', start); at >= 0; at = text.indexOf('}', at)) {
    if (text[at + 1] === '}') {
      at += 2;
    } else if (at + 1 >= text.length || /[\s;&,"')\]]/.test(text[at + 1] ?? '')) {
      return at;
    } else {
      at += 1;
    }
  }
  return text.length;
}

const lineEnd = /[\r\n]|["'`](?=\s*(?:[,;)}\]>|]|$|--?[A-Za-z]|https?:))/g;

/** A separator ends a value if another name or nothing follows. */
const plainEnd =
  /[\r\n<>]|[;&,|)\]}](?=[ \t;&,|)\]}]{0,8}$)|[;&,|)]\s{0,8}(?=["'`\\(]{0,4}[\p{L}_][\p{L}\p{N}_ .:@/-]{0,63}["'`\\]{0,4}\s{0,8}=)|(?<!\s)\s{1,64}(?=(?:-{1,2})?[\p{L}_][\p{L}\p{N}_.-]{0,63}\s{0,8}=|--?[A-Za-z])|\\?["'`](?=\s{0,8}(?:[;,)}\]>|/]|$))/gu;

/** Like {@link plainEnd}, where names are followed by a colon. */
const colonEnd =
  /[\r\n<>]|[;&,|)\]}](?=[ \t;&,|)\]}]{0,8}$)|[;&,|]\s{0,8}(?=["'`\\{]{0,4}[\p{L}_][\p{L}\p{N}_ .-]{0,63}["'`\\]{0,4}\s{0,8}[=:])|(?<!\s)\s{1,64}(?=(?:-{1,2})?["'`]?[\p{L}_][\p{L}\p{N}_.-]{0,63}["'`]?\s{0,8}[=:]|--?[A-Za-z])|\\?["'`](?=\s{0,8}(?:[;,)}\]>|/]|$))/gu;

function findEnd(text: string, ends: RegExp, start: number): number {
  const pattern = new RegExp(ends.source, ends.flags);
  pattern.lastIndex = start;
  const end = pattern.exec(text)?.index ?? text.length;
  return end > start ? end : start;
}

/** `--password value` on command lines. */
function findOptionSecrets(text: string): readonly SecretRange[] {
  return [
    ...text.matchAll(/(?<![\w-])--?([A-Za-z][\w-]{1,63})[ \t]{1,8}(["']?)([^\s"'-][^\s"']{0,1023})\2/g),
  ].flatMap(({ 0: all, 1: name = '', 2: quote = '', 3: value = '', index }) => {
    const end = index + all.length - quote.length;
    return isSecretByName(name, value, 'sure') ? [{ start: end - value.length, end }] : [];
  });
}
