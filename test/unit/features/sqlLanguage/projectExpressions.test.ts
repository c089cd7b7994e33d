import { expect, test } from 'vitest';
import type * as vscode from 'vscode';
import { languages, schemes } from '../../../../src/contributions.ts';
import { findProjectExpression } from '../../../../src/features/sqlLanguage/projectExpressions.ts';
import type { FileCatalogs } from '../../../../src/platform/projects/fileCatalogs.ts';

const path = '/work/analytics/datamodels/Retail/tables/Top.datamodel.sql';
const datamodel = { title: 'Retail', catalog: { complete: true, tables: [] } };

const createUri = (scheme: string, query = ''): vscode.Uri =>
  ({
    scheme,
    path,
    query,
    with: (change: { readonly scheme: string; readonly query: string }) =>
      createUri(change.scheme, change.query),
  }) as unknown as vscode.Uri;

const catalogs = {
  findItemFile: (uri: vscode.Uri) =>
    Promise.resolve(
      uri.scheme === 'file' && uri.path === path && uri.query === ''
        ? {
            path: 'datamodels/Retail/tables/Top.datamodel.sql',
            catalog: {
              getFileContext: () =>
                Promise.resolve({ key: { kind: 'tableExpression', datamodel: 'Retail', table: 'Top' } }),
              getDatamodel: () => Promise.resolve(datamodel),
            },
          }
        : undefined,
    ),
} as unknown as FileCatalogs;

const find = (uri: vscode.Uri, languageId: string = languages.sql) =>
  findProjectExpression(() => Promise.resolve(catalogs), { uri, languageId });

test('the names in SQL of a project, and in its version on the server, are those of the project', async () => {
  const expected = { datamodel, context: { kind: 'table', catalog: datamodel.catalog } };
  expect(await find(createUri('file'))).toEqual(expected);
  const query = JSON.stringify({ folder: 'file:///work/analytics', environment: 'prod' });
  expect(await find(createUri(schemes.projectVersion, query))).toEqual(expected);
  expect(await find(createUri('git'))).toBeUndefined();
  expect(await find(createUri('file'), 'json')).toBeUndefined();
});
