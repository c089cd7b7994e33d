import type { Effects, EffectSources } from '../model/effectSources.ts';
import type { Write } from '../model/operation.ts';
import type { PlanSubject } from '../model/plan.ts';
import { createDatasetSubject, getPlanSubjectName } from '../model/planSubjects.ts';
import { asObject, getObjects, getText } from '../model/jsonMembers.ts';

/**
 * Adds the names to the effects of a write that are known only from earlier writes of the operation: those of the
 * datamodel, the dataset, and the tables that these create. Other effects stay as they are.
 */
export function nameByEarlierWrites(
  effects: Effects,
  write: Write,
  {
    writes,
    oldIndex,
    newIndex,
  }: Pick<EffectSources, 'oldIndex' | 'newIndex'> & { readonly writes: readonly Write[] },
): Effects {
  if (write.outputRefs === undefined) {
    return effects;
  }
  const findOutput = (...path: readonly (string | number)[]) =>
    write.outputRefs?.find(
      ({ into }) => path.length <= into.length && path.every((name, index) => into[index] === name),
    );
  const getCreatedName = (...path: readonly (string | number)[]): string => {
    const output = findOutput(...path);
    return getPlanSubjectName(asObject(output && writes[output.write]?.body));
  };
  const model = oldIndex?.model;
  const title = model?.title ?? getCreatedName('params', 'datamodelId');
  const storedDataset = model?.datasets?.find(({ oid }) => oid === write.params['datasetId']);
  const dataset =
    model !== undefined && storedDataset !== undefined
      ? createDatasetSubject(storedDataset, model).name
      : getCreatedName('params', 'datasetId');
  const table = getCreatedName('params', 'tableId');
  const containers: Partial<Record<PlanSubject['kind'], readonly string[]>> = {
    dataset: [title],
    table: [title, dataset],
    column: [title, dataset, table],
    relation: [title],
  };
  /** Returns the name of a relation; empty if the datamodel couldn't be read. */
  const nameRelation = (): string => {
    const joinedColumnNames = getObjects(asObject(write.body)['columns']).map((joinedColumn, index) => {
      const [tableId, columnId] = [getText(joinedColumn['table']), getText(joinedColumn['column'])];
      const [, newColumn] = findOutput('body', 'columns', index, 'column')?.from ?? [];
      // The new names, since the same operation may rename tables and columns. It may also delete some later.
      const storedTable = newIndex?.getTable(tableId) ?? oldIndex?.getTable(tableId);
      const storedColumn = newIndex?.getColumn(tableId, columnId) ?? oldIndex?.getColumn(tableId, columnId);
      const tableName = getCreatedName('body', 'columns', index, 'table') || storedTable?.name;
      const columnName = typeof newColumn === 'string' ? newColumn : storedColumn?.name;
      return tableName === undefined || columnName === undefined ? undefined : `${tableName}.${columnName}`;
    });
    return joinedColumnNames.includes(undefined) ? '' : joinedColumnNames.join(' = ');
  };
  const addNames = <T extends PlanSubject>(subject: T): T => {
    const within = (containers[subject.kind] ?? []).filter((name) => name !== '');
    const isIncomplete = subject.kind === 'relation' && (subject.name === '' || subject.name.includes('?'));
    return {
      ...subject,
      name: isIncomplete ? nameRelation() : subject.kind === 'table' ? subject.name || table : subject.name,
      within: within.length > subject.within.length ? within : subject.within,
    };
  };
  return {
    created: effects.created.map(addNames),
    changed: effects.changed.map(addNames),
    deleted: effects.deleted,
  };
}
