import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type CompletionItem, completionsAt, type ExpressionContext } from '../../../src/sql/index.ts';
import { CLAUSES } from './cases/clauses.ts';
import { COLUMN_EXPRESSIONS, EXPRESSIONS } from './cases/expressions.ts';
import { SELECT_LIST } from './cases/selectList.ts';
import { SOURCES } from './cases/sources.ts';
import { columnContext, extractCaret, readCases, tableContext } from './model.ts';

const fixture = new URL('../../fixtures/sqlCompletions.txt', import.meta.url);

/** Writes the items in order, those of one kind and detail together; of functions and keywords, the number. */
function formatItems(items: readonly CompletionItem[], text: string): string {
  const groups: { readonly title: string; readonly labels: string[] }[] = [];
  for (const { kind, detail, label, insertText, start, end } of items) {
    const isCounted = kind === 'function' || kind === 'keyword';
    const replaced = start === end ? '' : ` for ${text.slice(start, end)}`;
    const title = `${kind}${isCounted || detail === undefined ? '' : ` (${detail})`}${replaced}`;
    const group = groups.at(-1)?.title === title ? groups.at(-1) : { title, labels: [] };
    if (group !== undefined && group !== groups.at(-1)) {
      groups.push(group);
    }
    group?.labels.push(insertText === label ? label : `${label} > ${insertText}`);
  }
  return groups
    .map(({ title, labels }) =>
      /^(?:function|keyword)/.test(title) ? `${labels.length} × ${title}` : `${title}: ${labels.join(', ')}`,
    )
    .join('; ');
}

const createEntries = (lines: string, context: ExpressionContext): readonly string[] =>
  readCases(lines).map(({ marked }) => {
    const { text, offset } = extractCaret(marked);
    return `${marked}\n  ${formatItems(completionsAt(text, offset, context), text)}`.replaceAll(
      /\n(?! {2})/g,
      '⏎',
    );
  });

test('the completions are those of the fixture; UPDATE=1 writes it', () => {
  const entries = [
    ...[SOURCES, SELECT_LIST, CLAUSES, EXPRESSIONS].flatMap((lines) => createEntries(lines, tableContext)),
    ...createEntries(COLUMN_EXPRESSIONS, columnContext),
  ];
  const contents = `${entries.join('\n')}\n`;
  if (process.env['UPDATE'] === '1') {
    writeFileSync(fixture, contents);
  }
  expect(contents).toBe(readFileSync(fixture, 'utf8'));
});
