import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { HistoryEntry } from '../../../../src/changes/journal/entry.ts';

let describeProjectFiles: (entry: HistoryEntry) => string;

beforeAll(async () => {
  vi.resetModules();
  vi.doMock('vscode', () => ({
    workspace: { workspaceFolders: [] },
    l10n: { t: (text: string) => text },
  }));
  ({ describeProjectFiles } = await import('../../../../src/features/history/describeProjectFiles.ts'));
});

afterAll(() => {
  vi.doUnmock('vscode');
  vi.resetModules();
});

const describeFiles = (prunedKinds: readonly string[] | undefined): string =>
  describeProjectFiles({
    operation: { project: { folder: '/project', environment: 'test', prunedKinds } },
  } as unknown as HistoryEntry);

test('the review of an undo says once what the next apply would do, also with deletions', () => {
  expect(describeFiles(undefined)).toBe(
    "The project files aren't changed. The next apply would make these changes again. A pull would update the files to match the instance.",
  );
  expect(describeFiles(['rules'])).toBe(
    "The project files aren't changed. The next apply would make these changes again, but the deletions only if you include them. A pull would update the files to match the instance.",
  );
});
