import type { Catalog } from '../../sql/language.ts';
import { getColumnsByName } from '../compare/normalizeContent.ts';
import type { ProjectItem } from '../item.ts';

/** Creates the catalog of a datamodel from the tables of an instance, with the names that they have on the instance. */
export const createInstanceCatalog = (
  { items }: { readonly items: readonly ProjectItem[] },
  datamodel: string,
): Catalog => ({
  complete: true,
  tables: items.flatMap(({ key, content }) =>
    key.kind === 'table' && key.datamodel === datamodel
      ? [{ name: key.table, columns: [...getColumnsByName(content).keys()].map((name) => ({ name })) }]
      : [],
  ),
});
