import { expect, test } from 'vitest';
import { collectPageTexts } from '../../../../src/packaging/l10n/pageTexts.ts';

const toModule = (...texts: readonly string[]) => ({ texts, tableNames: [], problems: [] });
const modules = new Map([
  ['webviews/plan/main.tsx', toModule('Apply', 'Cancel')],
  ['webviews/shared/notices.tsx', toModule('Cancel', 'Read-only')],
  ['webviews/shared/unused.tsx', toModule('Unused')],
  ['features/plan/panel.ts', toModule('Review')],
]);

test('a page has the texts of the modules in its bundle', () => {
  const outputs = {
    'dist/webviews/plan.js': {
      entryPoint: 'src/webviews/plan/main.tsx',
      inputs: {
        'node_modules/preact/dist/preact.mjs': { bytesInOutput: 100 },
        'src/webviews/plan/main.tsx': { bytesInOutput: 100 },
        'src/webviews/shared/notices.tsx': { bytesInOutput: 100 },
        'src/webviews/shared/unused.tsx': { bytesInOutput: 0 },
      },
    },
    'dist/webviews/plan.css': { inputs: {} },
  };
  expect(collectPageTexts({ outputs }, modules)).toEqual(
    new Map([['plan', ['Apply', 'Cancel', 'Read-only']]]),
  );
});
