import type { SecretRange } from './mask.ts';
import { isSecretByName } from './secretName.ts';

/**
 * How certain it must be that a name indicates a secret. Prose needs `sure`: there, "key: …" is usually not a secret.
 */
export type Certainty = 'doubt' | 'sure';

const maxLookBehind = 96;

/**
 * Finds values assigned to secret names in connection strings (`Password="a;b"`, `PWD={a;b}`), URL queries,
 * `name: value`, command line options, truncated JSON and headers. A separator ends a value only if the text after it
 * cannot be part of the value, because a password can contain any character.
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
  // A backslash may escape a quote (`:\"`); otherwise it starts a path (`C:\`).
  if (isColon && /^:(?:[:/]|\\(?!\\{0,15}["'`]))/.test(text.slice(at, at + 18))) {
    return undefined;
  }
  const names = getNamesBefore(text, at, isColon);
  if (names.length === 0) {
    return undefined;
  }
  // Check the names first, because finding the end of the value is slower.
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

/** A value that looks like nothing but a secret, to check a name before its value is known. */
const opaque = 'Zx9-secret';

/** True for text such as the value in "Unexpected token: word". */
const isProse = (name: string, value: string): boolean =>
  !/pass|pwd/i.test(name) && /^[A-Za-z"' ,.()-]*$/.test(value);

/** Names of headers whose values contain separators and extend to the end of the line. */
const lineNames = /cookie$|authorization$/i;

/** The possible names of a value: all words before it (`Account Key`) and the last word alone (`user=u password`). */
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
    // Part of a URL or of another identifier, such as arn:aws:…:secret:name.
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

/** A quote ends the value unless it is doubled, escaped with a backslash or followed by more of the value. */
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

/** Finds the end of an ODBC value such as `{a;b}`, in which `}}` is an escaped brace. */
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

/** Matches a separator that ends a value: it is followed by another name or by the end of the text. */
const plainEnd =
  /[\r\n<>]|[;&,|)\]}](?=[ \t;&,|)\]}]{0,8}$)|[;&,|)]\s{0,8}(?=["'`\\(]{0,4}[\p{L}_][\p{L}\p{N}_ .:@/-]{0,63}["'`\\]{0,4}\s{0,8}=)|(?<!\s)\s{1,64}(?=(?:-{1,2})?[\p{L}_][\p{L}\p{N}_.-]{0,63}\s{0,8}=|--?[A-Za-z])|\\?["'`](?=\s{0,8}(?:[;,)}\]>|/]|$))/gu;

/** Like {@link valueEndPattern}, for values after a colon: the next name may also be followed by a colon. */
const colonEnd =
  /[\r\n<>]|[;&,|)\]}](?=[ \t;&,|)\]}]{0,8}$)|[;&,|]\s{0,8}(?=["'`\\{]{0,4}[\p{L}_][\p{L}\p{N}_ .-]{0,63}["'`\\]{0,4}\s{0,8}[=:])|(?<!\s)\s{1,64}(?=(?:-{1,2})?["'`]?[\p{L}_][\p{L}\p{N}_.-]{0,63}["'`]?\s{0,8}[=:]|--?[A-Za-z])|\\?["'`](?=\s{0,8}(?:[;,)}\]>|/]|$))/gu;

function findEnd(text: string, ends: RegExp, start: number): number {
  const pattern = new RegExp(ends.source, ends.flags);
  pattern.lastIndex = start;
  const end = pattern.exec(text)?.index ?? text.length;
  return end > start ? end : start;
}

/** Finds secrets in command line options such as `--password value`. */
function findOptionSecrets(text: string): readonly SecretRange[] {
  return [
    ...text.matchAll(/(?<![\w-])--?([A-Za-z][\w-]{1,63})[ \t]{1,8}(["']?)([^\s"'-][^\s"']{0,1023})\2/g),
  ].flatMap(({ 0: all, 1: name = '', 2: quote = '', 3: value = '', index }) => {
    const end = index + all.length - quote.length;
    return isSecretByName(name, value, 'sure') ? [{ start: end - value.length, end }] : [];
  });
}
