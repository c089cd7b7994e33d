import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface SpecText {
  /** A whole statement, or the expression of a column. */
  readonly kind: 'statement' | 'expression';
  readonly text: string;
}

/** The functions in the parser's own specs that accept texts which must parse, and the type of the texts. */
const checks: ReadonlyMap<string, SpecText['kind']> = new Map([
  ['checkSelect', 'statement'],
  ['checkTreeExpr', 'expression'],
  ['checkTreeExprLoc', 'expression'],
]);

const literal = /\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\$]|\\.|\$(?!\{))*)`)/y;

/** The texts of the first argument of a call: one literal, or an array of them; otherwise none. */
function readTexts(source: string, offset: number): string[] {
  const texts: string[] = [];
  const open = /\s*\[/y;
  open.lastIndex = offset;
  const isList = open.test(source);
  literal.lastIndex = isList ? open.lastIndex : offset;
  for (;;) {
    const match = literal.exec(source);
    if (match === null) {
      return texts;
    }
    texts.push(unescape(match[1] ?? match[2] ?? match[3] ?? ''));
    const comma = /\s*,/y;
    comma.lastIndex = literal.lastIndex;
    if (!isList || !comma.test(source)) {
      literal.lastIndex = 0;
      return texts;
    }
    const skip = /(?:\s|\/\/[^\n]*)*/y;
    skip.lastIndex = comma.lastIndex;
    skip.test(source);
    literal.lastIndex = skip.lastIndex;
  }
}

const unescape = (body: string): string =>
  body.replace(
    /\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([\s\S]))/g,
    (_all, u?: string, x?: string, c = '') => {
      const code = u ?? x;
      return code === undefined
        ? ({ n: '\n', t: '\t', r: '\r', b: '\b' }[c as string] ?? String(c))
        : String.fromCharCode(Number.parseInt(code, 16));
    },
  );

/** Every query and expression that the specs of pgsql-ast-parser, which are part of the package, consider valid. */
export function findSpecTexts(): readonly SpecText[] {
  const folder = join(dirname(fileURLToPath(import.meta.resolve('pgsql-ast-parser'))), 'src');
  const found = new Map<string, SpecText>();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    if (!name.endsWith('.spec.ts')) {
      continue;
    }
    const source = readFileSync(join(folder, name), 'utf8').replaceAll(/^\s*\/\/.*$/gm, '');
    for (const { 1: check = '', index, 0: call } of source.matchAll(/\b(\w+)\(/g)) {
      const kind = checks.get(check);
      for (const text of kind === undefined ? [] : readTexts(source, index + call.length)) {
        found.set(`${kind}\n${text}`, { kind: kind ?? 'statement', text });
      }
    }
  }
  return [...found.values()];
}
