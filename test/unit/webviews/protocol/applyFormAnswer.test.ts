import { expect, test } from 'vitest';
import type { JsonValue } from '../../../../src/base/json.ts';
import { parseJsonTree } from '../../../../src/json/text/parseJsonTree.ts';
import { applyEdits, type TextEdit } from '../../../../src/base/textEdit.ts';
import { FormSync } from '../../../../src/webviews/protocol/formSync.ts';
import { applyFormAnswer } from '../../../../src/webviews/protocol/applyFormAnswer.ts';
import { applyRuleSetEdit } from '../../../../src/security/form/applyRuleEdit.ts';
import { rebaseRuleSetEdit } from '../../../../src/security/form/rebaseRuleEdit.ts';
import type { RuleSetFormEdit } from '../../../../src/security/form/ruleEdit.ts';

const adapter = { emptyValue: [], apply: applyRuleSetEdit, rebase: rebaseRuleSetEdit };
const createRule = (column: string, ...parties: readonly string[]): JsonValue => ({
  table: 'T',
  column,
  members: ['x'],
  allMembers: null,
  shares: parties.map((party) => ({ party, type: 'group' })),
});
const createDocument = (text: string) => ({
  text,
  get json() {
    return parseJsonTree(this.text);
  },
  isReadOnly: false,
  async apply(edits: readonly TextEdit[]) {
    this.text = applyEdits(this.text, edits);
    return true;
  },
});
const displayedValue: JsonValue = [createRule('Public', 'g1'), createRule('Salary', 'g2')];
/** The edit of "Add User or Group…" on the first rule, once a group is selected. */
const addParty: RuleSetFormEdit = {
  kind: 'rule',
  rule: 0,
  edit: {
    kind: 'parties',
    values: [
      { type: 'group', id: 'g1' },
      { type: 'group', id: 'g9' },
    ],
  },
};

test('an answer affects only the rule that it was chosen for', async () => {
  for (const currentRules of [
    [createRule('Salary', 'g2')],
    [createRule('Salary', 'g2'), createRule('Other', 'g3')],
  ]) {
    const document = createDocument(JSON.stringify(currentRules));
    expect(await applyFormAnswer(document, adapter, addParty, displayedValue)).toBe('outdated');
    expect(JSON.parse(document.text)).toEqual(currentRules);
  }
});

test('an answer follows its rule, and keeps parties added meanwhile', async () => {
  const document = createDocument(JSON.stringify([createRule('Salary', 'g2'), createRule('Public', 'g1')]));
  expect(await applyFormAnswer(document, adapter, addParty, displayedValue)).toBe('written');
  expect(JSON.parse(document.text)).toEqual([createRule('Salary', 'g2'), createRule('Public', 'g1', 'g9')]);
  const documentWithMoreParties = createDocument(
    JSON.stringify([createRule('Public', 'g1', 'g5'), createRule('Salary', 'g2')]),
  );
  expect(await applyFormAnswer(documentWithMoreParties, adapter, addParty, displayedValue)).toBe('written');
  expect(JSON.parse(documentWithMoreParties.text)).toEqual([
    createRule('Public', 'g1', 'g9', 'g5'),
    createRule('Salary', 'g2'),
  ]);
});

test('an answer for a text that is not JSON is rejected', async () => {
  expect(await applyFormAnswer(createDocument('['), adapter, addParty, displayedValue)).toBe('refused');
});

test('a question refers to the document that its page displayed, including earlier edits of the page', async () => {
  const document = createDocument(JSON.stringify(displayedValue));
  const sync = new FormSync(document, adapter, () => undefined);
  void sync.applyEdit({ number: 1, epoch: 0, edit: { kind: 'removeRules', rules: [0] } });
  expect(await sync.getValueAt(0)).toEqual([createRule('Salary', 'g2')]);
  document.text = JSON.stringify([createRule('New', 'g7'), createRule('Salary', 'g2')]);
  sync.handleTextChange();
  expect(await sync.getValueAt(0)).toEqual([createRule('Salary', 'g2')]);
  expect(await sync.getValueAt(1)).toHaveLength(2);
  expect(await sync.getValueAt(-1)).toBeUndefined();
});
