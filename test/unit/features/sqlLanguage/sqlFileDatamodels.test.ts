import { describe, expect, test } from 'vitest';
import { PickedDatamodels } from '../../../../src/catalog/pickedDatamodels.ts';
import { createDocumentPath } from '../../../../src/documents/documentAddress.ts';
import { FileOrigins } from '../../../../src/documents/fileOrigins.ts';
import { SqlFileDatamodels } from '../../../../src/features/sqlLanguage/sqlFileDatamodels.ts';

const retail = { connectionId: 'c', datamodelId: 'r', title: 'Retail' };
const support = { connectionId: 'c', datamodelId: 's', title: 'Support' };
const retailOfOtherConnection = { connectionId: 'd', datamodelId: 'r', title: 'Retail' };
const column = {
  kind: 'columnExpression',
  datamodelId: 's',
  datasetId: 'x',
  tableId: 't',
  columnId: 'k',
} as const;

const createStorage = () => {
  const state: { value: unknown } = { value: undefined };
  return { read: () => state.value, write: (value: unknown) => (state.value = structuredClone(value)) };
};

function createFileDatamodels() {
  const picks = new PickedDatamodels(createStorage());
  const links = new FileOrigins(createStorage());
  const linkTo = (file: string, resource: typeof column | { kind: 'datamodel'; datamodelId: string }): void =>
    links.set(file, createDocumentPath({ connectionId: 'c', resource, name: 'Net', within: ['Sandbox'] }));
  return { picks, links, linkTo, datamodels: new SqlFileDatamodels(picks, links) };
}

describe('the datamodel of a SQL file', () => {
  test('is the one picked for it, then that of the SQL that it is a copy of, then the latest pick', () => {
    const { picks, linkTo, datamodels } = createFileDatamodels();
    expect(datamodels.get('new.sql')).toBeUndefined();
    picks.pick('picked.sql', retail);
    linkTo('copy.sql', column);
    linkTo('both.sql', column);
    picks.pick('both.sql', retailOfOtherConnection);
    expect(datamodels.get('picked.sql')).toEqual(retail);
    expect(datamodels.get('copy.sql')).toEqual({ connectionId: 'c', datamodelId: 's', resource: column });
    expect(datamodels.get('both.sql')).toEqual(retailOfOtherConnection);
    expect(datamodels.get('new.sql')).toEqual(retailOfOtherConnection);
    // The SQL that a file is a copy of stays known if a datamodel is picked for the file.
    picks.pick('both.sql', support);
    expect(datamodels.get('both.sql')).toEqual({ ...support, resource: column });
  });

  test('finds the files that were picked for it or copied from it, but not those of another connection', () => {
    const { picks, linkTo, datamodels } = createFileDatamodels();
    linkTo('copy.sql', column);
    linkTo('repicked.sql', column);
    linkTo('model.json', { kind: 'datamodel', datamodelId: 's' });
    picks.pick('a.sql', support);
    picks.pick('b.sql', retailOfOtherConnection);
    picks.pick('repicked.sql', retail);
    expect(datamodels.getFiles(support)).toEqual(['a.sql', 'copy.sql']);
    expect(datamodels.getFiles(retail)).toEqual(['repicked.sql']);
    expect([support, retail, retailOfOtherConnection].map((each) => datamodels.isLatestPick(each))).toEqual([
      false,
      true,
      false,
    ]);
  });
});
