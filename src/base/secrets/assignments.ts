import type { SecretRange } from './mask.ts';
import { type Certainty, isSecretByName } from './secretName.ts';

/** The maximum number of characters before an operator in which the name of its value is searched. */
const maxLookBehind = 96;

/**
 * Finds values assigned to secret names in connection strings (`Password="a;b"`, `PWD={a;b}`), URL queries,
 * `name: value`, command line options, truncated JSON and headers. A separator ends a value only if the text after it
 * cannot be part of the value, because a password can contain any character.
 */
export function findAssignedSecrets(text: string, certainty: Certainty): readonly SecretRange[] {
  const ranges: SecretRange[] = [];
  const assignmentPattern = /[=:]/g;
  for (let match = assignmentPattern.exec(text); match !== null; match = assignmentPattern.exec(text)) {
    const value = findSecretAssignedAt(text, match.index, certainty);
    if (value !== undefined) {
      ranges.push(value);
      assignmentPattern.lastIndex = Math.max(value.end, assignmentPattern.lastIndex);
    }
  }
  return [...ranges, ...findOptionSecrets(text)];
}

function findSecretAssignedAt(
  text: string,
  operatorOffset: number,
  certainty: Certainty,
): SecretRange | undefined {
  const isColon = text[operatorOffset] === ':';
  // A backslash may escape a quote (`:\"`); otherwise it starts a path (`C:\`).
  if (isColon && /^:(?:[:/]|\\(?!\\{0,15}["'`]))/.test(text.slice(operatorOffset, operatorOffset + 18))) {
    return undefined;
  }
  const names = getNamesBefore(text, operatorOffset, isColon);
  if (names.length === 0) {
    return undefined;
  }
  // Check the names first, because finding the end of the value is slower.
  const name = names.find((candidate) => isSecretByName(candidate, sampleSecret, certainty));
  if (name === undefined) {
    return undefined;
  }
  const value = findValueAfter(text, operatorOffset, {
    isColon,
    extendsToLineEnd: wholeLineNamePattern.test(name),
  });
  const assignedText = value && text.slice(value.start, value.end);
  if (
    value === undefined ||
    assignedText === undefined ||
    assignedText.trim() === '' ||
    !isSecretByName(name, assignedText, certainty)
  ) {
    return undefined;
  }
  return certainty === 'sure' && isColon && isProse(name, assignedText) ? undefined : value;
}

/** A value that can only be a secret, to check a name before its value is known. */
const sampleSecret = 'Zx9-secret';

/** True for text such as the value in "Unexpected token: word". */
const isProse = (name: string, value: string): boolean =>
  !/pass|pwd/i.test(name) && /^[A-Za-z"' ,.()-]*$/.test(value);

/** Names of headers whose values contain separators and extend to the end of the line. */
const wholeLineNamePattern = /cookie$|authorization$/i;

/** The possible names of a value: all words before it (`Account Key`) and the last word alone (`user=u password`). */
function getNamesBefore(text: string, operatorOffset: number, isColon: boolean): readonly string[] {
  const textBefore = text.slice(Math.max(0, operatorOffset - maxLookBehind), operatorOffset);
  const quotedName = /(\\*["'`])([^"'`\\]{1,64})\1\s{0,8}$/.exec(textBefore);
  if (quotedName !== null) {
    return [quotedName[2] ?? ''];
  }
  const [phrase = ''] = /[\p{L}\p{N}_.: @/$-]*$/u.exec(textBefore.replace(/[\s\]"'`\\]{1,8}$/, '')) ?? [];
  const trimmed = phrase.trim();
  const lastWord = /[^\s:/@]*$/.exec(trimmed)?.[0] ?? '';
  if (isColon && /[:/]$/.test(trimmed.slice(0, trimmed.length - lastWord.length))) {
    // Part of a URL or of another identifier, such as arn:aws:…:secret:name.
    return [];
  }
  const wholePhrase = trimmed.slice(trimmed.lastIndexOf(':') + 1);
  return /^\p{L}+( \p{L}+){1,4}$/u.test(wholePhrase)
    ? [wholePhrase, lastWord]
    : lastWord === ''
      ? []
      : [lastWord];
}

function findValueAfter(
  text: string,
  operatorOffset: number,
  { isColon, extendsToLineEnd }: { readonly isColon: boolean; readonly extendsToLineEnd: boolean },
): SecretRange | undefined {
  const [separator = ''] = /^>?[ \t]{0,8}/.exec(text.slice(operatorOffset + 1, operatorOffset + 10)) ?? [];
  const start = operatorOffset + 1 + separator.length;
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
    end: extendsToLineEnd
      ? findPatternOrTextEnd(text, lineEndPattern, start)
      : findPatternOrTextEnd(text, isColon ? colonValueEndPattern : valueEndPattern, start),
  };
}

/** A quote ends the value unless it is doubled, escaped with a backslash or followed by more of the value. */
function findQuoteEnd(text: string, start: number, quote: string): number {
  const isEscaped = quote.length > 1;
  for (
    let quoteOffset = text.indexOf(quote, start);
    quoteOffset >= 0;
    quoteOffset = text.indexOf(quote, quoteOffset)
  ) {
    const nextCharacter = text.slice(quoteOffset + quote.length, quoteOffset + quote.length + 1);
    if (!isEscaped && text[quoteOffset - 1] === '\\' && quoteOffset > start) {
      quoteOffset += 1;
    } else if (!isEscaped && nextCharacter === quote) {
      quoteOffset += 2;
    } else if (nextCharacter === '' || /[\s;,&:}\])/>=|"'`\\]/.test(nextCharacter)) {
      return quoteOffset;
    } else {
      quoteOffset += quote.length;
    }
  }
  return text.length;
}

/** Finds the end of an ODBC value such as `{a;b}`, in which `}}` is an escaped brace. */
function findBraceEnd(text: string, start: number): number {
  for (
    let braceOffset = text.indexOf('}', start);
    braceOffset >= 0;
    braceOffset = text.indexOf('}', braceOffset)
  ) {
    if (text[braceOffset + 1] === '}') {
      braceOffset += 2;
    } else if (braceOffset + 1 >= text.length || /[\s;&,"')\]]/.test(text[braceOffset + 1] ?? '')) {
      return braceOffset;
    } else {
      braceOffset += 1;
    }
  }
  return text.length;
}

/** Matches the end of the line, or a quote that ends the text in which a header is quoted. */
const lineEndPattern = /[\r\n]|["'`](?=\s*(?:[,;)}\]>|]|$|--?[A-Za-z]|https?:))/g;

/**
 * Matches the end of a value: a line break or angle bracket, a separator before another name or the end of the text, or
 * a quote before a separator or the end of the text.
 */
const valueEndPattern =
  /[\r\n<>]|[;&,|)\]}](?=[ \t;&,|)\]}]{0,8}$)|[;&,|)]\s{0,8}(?=["'`\\(]{0,4}[\p{L}_][\p{L}\p{N}_ .:@/-]{0,63}["'`\\]{0,4}\s{0,8}=)|(?<!\s)\s{1,64}(?=(?:-{1,2})?[\p{L}_][\p{L}\p{N}_.-]{0,63}\s{0,8}=|--?[A-Za-z])|\\?["'`](?=\s{0,8}(?:[;,)}\]>|/]|$))/gu;

/** Like {@link valueEndPattern}, for values after a colon: the next name may also be followed by a colon. */
const colonValueEndPattern =
  /[\r\n<>]|[;&,|)\]}](?=[ \t;&,|)\]}]{0,8}$)|[;&,|]\s{0,8}(?=["'`\\{]{0,4}[\p{L}_][\p{L}\p{N}_ .-]{0,63}["'`\\]{0,4}\s{0,8}[=:])|(?<!\s)\s{1,64}(?=(?:-{1,2})?["'`]?[\p{L}_][\p{L}\p{N}_.-]{0,63}["'`]?\s{0,8}[=:]|--?[A-Za-z])|\\?["'`](?=\s{0,8}(?:[;,)}\]>|/]|$))/gu;

function findPatternOrTextEnd(text: string, endPattern: RegExp, start: number): number {
  const pattern = new RegExp(endPattern.source, endPattern.flags);
  pattern.lastIndex = start;
  const end = pattern.exec(text)?.index ?? text.length;
  return end > start ? end : start;
}

/** Finds secrets in command line options such as `--password value` and `--password "my value"`. */
function findOptionSecrets(text: string): readonly SecretRange[] {
  const ranges: SecretRange[] = [];
  const optionPattern =
    /(?<![\w-])--?([A-Za-z][\w-]{1,63})[ \t]{1,8}(?:(\\{0,16}["'`])|([^\s"'`-][^\s"'`]{0,1023}))/g;
  for (let match = optionPattern.exec(text); match !== null; match = optionPattern.exec(text)) {
    const [option, name = '', quote, word = ''] = match;
    const start = match.index + option.length - word.length;
    // Check the name first, because finding the end of a quoted value is slower.
    if (isSecretByName(name, sampleSecret, 'sure')) {
      const end = quote === undefined ? start + word.length : findQuoteEnd(text, start, quote);
      if (isSecretByName(name, text.slice(start, end), 'sure')) {
        ranges.push({ start, end });
      }
      optionPattern.lastIndex = Math.max(end, optionPattern.lastIndex);
    }
  }
  return ranges;
}
