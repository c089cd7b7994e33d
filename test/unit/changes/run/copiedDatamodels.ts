import { parseLossless } from '../../../../src/base/json.ts';
import { asObject } from '../../../../src/changes/model/jsonMembers.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import { createSeedOid } from '../../../../src/sandbox/seeds/seedIds.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { type ChangeFixture, createTableRef, getColumns, getIds } from './support.ts';

const oidPattern = /"oid":"([^"]+)"/g;

/** A copy of the demo's Retail: another datamodel with the same tables. */
export interface CopiedDatamodel {
  readonly oid: string;
  readonly title: string;
  readonly subject: { readonly kind: 'extract'; readonly server: string; readonly elasticube: string };
  readonly getTableRef: (table: string) => ReturnType<typeof createTableRef>;
}

/** Adds a built copy of the demo's Retail, without rules. */
export function copyRetail({ sandbox }: ChangeFixture, title: string): CopiedDatamodel {
  const { datamodels } = sandbox.store;
  const text = expectDefined(datamodels.getText(createSeedOid('Retail')));
  const newOids = new Map(
    [...text.matchAll(oidPattern)].map(([, oid = '']) => [oid, createSeedOid(`${title} ${oid}`)]),
  );
  const getNewOid = (oid: string): string => expectDefined(newOids.get(oid));
  const copy = [...newOids].reduce((copied, [oid, newOid]) => copied.replaceAll(oid, newOid), text);
  const document = { ...asObject(parseLossless(copy)), title };
  const oid = getNewOid(createSeedOid('Retail'));
  datamodels.insert(document);
  datamodels.setBuiltSchema(oid, document);
  return {
    oid,
    title,
    subject: { kind: 'extract', server: 'LocalHost', elasticube: title },
    getTableRef: (table) => {
      const { kind, datamodelId, datasetId, tableId } = createTableRef(table);
      return {
        kind,
        datamodelId: getNewOid(datamodelId),
        datasetId: getNewOid(datasetId),
        tableId: getNewOid(tableId),
      };
    },
  };
}

/** Creates the write that renames a column of a table. */
export async function createColumnRename(
  fixture: ChangeFixture,
  ref: ReturnType<typeof createTableRef>,
  names: { readonly from: string; readonly to: string },
): Promise<Write> {
  const columns = getColumns(await fixture.read(ref)).map((column) =>
    column['name'] === names.from ? { ...column, name: names.to } : column,
  );
  return { endpoint: 'tables.update', params: getIds(ref), body: { columns }, target: ref };
}
