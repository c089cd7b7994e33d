import { expect, test } from 'vitest';
import { computeLayout } from '../../src/webviews/diagramLayout/computeLayout.ts';
import type { DiagramModel } from '../../src/webviews/diagramLayout/diagramModel.ts';
import { createLayoutInput } from '../../src/webviews/diagramLayout/layoutInput.ts';
import { findMarkup, hostileName as name } from '../editor/support/hostileName.ts';
import { TestPage, useBrowser } from './support/testPage.ts';
import { createRule, only } from './support/retailRules.ts';

useBrowser();

const rules = [
  createRule('', only(name), ['default'], { table: name, column: name }),
  createRule('', only(name), ['group:g'], { _id: name, table: name, column: name }),
];
const catalog = { complete: true, tables: [{ name, columns: [{ name, type: 18 }] }], relations: [] };
const data = { type: 'data', title: name, kind: 'extract', rules, catalog };
const parties = { type: 'parties', parties: [{ type: 'group', id: 'g', name }] };
const column = { id: name, name, type: 'text', isInRelation: true, isCustom: false, isHidden: false };
const model: DiagramModel = {
  tables: ['a', 'b'].map((id) => ({
    id,
    datasetId: 'set',
    dataset: name,
    name,
    isCustom: false,
    isHidden: false,
    isSecured: false,
    columns: [{ ...column, isSecured: false, canRelate: true }],
  })),
  relations: [],
  undrawnRelationCount: 0,
};
const grant = { kind: 'only', values: [name], moreCount: 0 };
const change = { column: name, party: { type: 'group', name }, before: [grant], after: [] };

/** The messages that each page receives for an instance with hostile names. */
const messagesByPage: Readonly<Record<string, readonly object[]>> = {
  access: [data, parties],
  ruleMatrix: [data, parties],
  ruleChange: [
    {
      type: 'view',
      view: {
        title: name,
        source: name,
        scope: 'add',
        changes: [{ kind: 'change', ...change }],
        unchangedCount: 0,
        problems: [{ severity: 'error', text: name }],
        foundGroups: [{ name, id: name }],
        writeCounts: { delete: 1, total: 1 },
        mapping: [{ key: 'k', sourceColumn: name, targetColumn: name, ruleCount: 1 }],
      },
    },
  ],
  diagram: [
    {
      type: 'data',
      datamodel: { connectionId: 'sandbox', datamodelId: 'd', title: name },
      model,
      layout: computeLayout(createLayoutInput(model)),
      subject: {},
      note: name,
    },
  ],
  customData: [
    { type: 'title', connection: name, connectionId: 'sandbox' },
    { type: 'objects', filter: '{}', text: JSON.stringify([{ _id: name, [name]: name }]) },
  ],
  viewpointForm: [
    {
      type: 'document',
      value: {
        name,
        description: name,
        details: {
          datasource: { title: name },
          columns: [{ table: name, column: name, dim: `[${name}.${name}]`, title: name, datatype: 'text' }],
        },
      },
      epoch: 0,
      lastProcessedEdit: 0,
      isReadOnly: false,
    },
  ],
  ruleForm: [{ type: 'document', value: rules, epoch: 0, lastProcessedEdit: 0, isReadOnly: false }],
};

test.each(Object.keys(messagesByPage))(
  'hostile names are shown as plain text on the page %s',
  async (page) => {
    const testPage = await TestPage.open<object, { type: string }>(page);
    for (const message of messagesByPage[page] ?? []) {
      testPage.post(message);
    }
    const countShown = () =>
      testPage.page.evaluate((text) => document.body.innerText.split(text).length - 1, name);
    await expect.poll(countShown).toBeGreaterThan(1);
    expect(await testPage.page.evaluate(findMarkup)).toEqual([]);
    await testPage.screenshot(`hostile-${page}`);
    testPage.assertNoErrors();
  },
);
