import { expect, test } from 'vitest';
import { formatSections } from '../../../src/cli/markdown.ts';

test('details are nested lists, with unified diffs as code that their lines cannot end', () => {
  const details = [
    { text: 'description: none → "`x`"', diff: [] },
    { text: 'content:', diff: ['@@ -1,1 +1,1 @@', '-```', '+````\u001b[31m'] },
  ];
  expect(formatSections('# Head\n', [{ title: 'Changes', lines: ['A', { text: 'B', details }] }])).toBe(
    [
      '# Head',
      '',
      '#### Changes (2)',
      '',
      '- `A`',
      '- `B`',
      '  - `` description: none → "`x`" ``',
      '  - `content:`',
      '    `````diff',
      '    @@ -1,1 +1,1 @@',
      '    -```',
      '    +```` [31m',
      '    `````',
      '',
    ].join('\n'),
  );
});

test('details that do not fit are left out before entries are', () => {
  const createEntry = (text: string, length: number) => ({
    text,
    details: Array.from({ length }, (_, index) => ({ text: `${index}`.padStart(90, '.'), diff: [] })),
  });
  const text = formatSections('', [
    { title: 'Changes', lines: [createEntry('Large', 1000), createEntry('Small', 1)] },
    { title: 'Next steps', lines: ['Build A'] },
  ]);
  expect(text.length).toBeLessThan(65_536);
  expect(text).toContain('- `Large`\n  - … details left out\n- `Small`\n  - `....');
  expect(text).toContain('- `Build A`');
  const many = Array.from({ length: 5000 }, (_, index) => `Entry number ${index}`);
  const cutText = formatSections('', [{ title: 'Changes', lines: many }]);
  expect(cutText.length).toBeLessThan(65_536);
  expect(cutText).toMatch(/- … and \d+ more\n$/);
});
