import { expect, test } from 'vitest';
import { computeLayout } from '../../src/webviews/diagramLayout/computeLayout.ts';
import type { DiagramModel } from '../../src/webviews/diagramLayout/diagramModel.ts';
import { createLayoutInput } from '../../src/webviews/diagramLayout/layoutInput.ts';
import type { ToAccess } from '../../src/webviews/protocol/access.ts';
import type { ToCustomData } from '../../src/webviews/protocol/customData.ts';
import type { ToDiagram } from '../../src/webviews/protocol/diagram.ts';
import type { ToForm } from '../../src/webviews/protocol/documentForm.ts';
import type { ToRuleChange } from '../../src/webviews/protocol/ruleChange.ts';
import type { MatrixHostMessage } from '../../src/webviews/protocol/ruleMatrix.ts';
import { findMarkup, hostileName as name } from '../editor/support/hostileName.ts';
import { TestPage, useBrowser } from './support/testPage.ts';
import { createRule, only } from './support/retailRules.ts';

useBrowser();

const rules = [
  createRule('', only(name), ['default'], { table: name, column: name }),
  createRule('', only(name), ['group:g'], { _id: name, table: name, column: name }),
];
const catalog = { complete: true, tables: [{ name, columns: [{ name, type: 18 }] }], relations: [] };
const data: ToAccess = { type: 'data', title: name, kind: 'extract', rules, catalog };
const parties: ToAccess = { type: 'parties', parties: [{ type: 'group', id: 'g', name }] };
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
const grant = { kind: 'only', values: [name], moreCount: 0 } as const;
const change = { column: name, party: { type: 'group', name }, before: [grant], after: [] } as const;

/** The messages to each page. */
interface MessagesByPage {
  readonly access: readonly ToAccess[];
  readonly ruleMatrix: readonly MatrixHostMessage[];
  readonly ruleChange: readonly ToRuleChange[];
  readonly diagram: readonly ToDiagram[];
  readonly customData: readonly ToCustomData[];
  readonly viewpointForm: readonly ToForm[];
  readonly ruleForm: readonly ToForm[];
}

/** The messages that each page receives for an instance with hostile names. */
const messagesByPage: MessagesByPage = {
  access: [data, parties],
  ruleMatrix: [data, parties],
  ruleChange: [
    {
      type: 'view',
      view: {
        title: name,
        source: name,
        mode: 'add',
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

test.each(Object.entries(messagesByPage))(
  'hostile names are shown as plain text on the page %s',
  async (page, messages: MessagesByPage[keyof MessagesByPage]) => {
    const testPage = await TestPage.open<(typeof messages)[number], never>(page);
    messages.forEach((message) => testPage.post(message));
    const countShown = () =>
      testPage.page.evaluate((text) => document.body.innerText.split(text).length - 1, name);
    await expect.poll(countShown).toBeGreaterThan(1);
    expect(await testPage.page.evaluate(findMarkup)).toEqual([]);
    await testPage.screenshot(`hostile-${page}`);
    testPage.assertNoErrors();
  },
);
