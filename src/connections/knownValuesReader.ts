import type { InstanceCatalog } from '../catalog/instanceCatalog.ts';
import { isSameSubject, type RuleSubject } from '../catalog/ruleSubject.ts';
import { KnownValues } from '../security/values/knownValues.ts';
import { ValueIndex } from '../security/values/valueIndex.ts';

type LoadedCatalog = Pick<InstanceCatalog, 'knownResources' | 'knownCustomData'>;

/**
 * Collects the values of columns from what a catalog has loaded: rules, viewpoints, and custom data. No request is
 * sent. Each list is indexed once, so reading again, as on every keystroke, doesn't take longer if there are more
 * rules.
 */
export class KnownValuesReader {
  readonly #ruleIndexes = new WeakMap<readonly unknown[], ValueIndex>();
  readonly #documentIndexes = new WeakMap<readonly unknown[], ValueIndex>();

  #last: { readonly indexes: readonly ValueIndex[]; readonly values: KnownValues } | undefined;

  /** Returns the known values; the same object as before if nothing was loaded or discarded since. */
  read(catalog: LoadedCatalog | undefined): KnownValues {
    const indexes = catalog === undefined ? [] : this.readIndexes(catalog);
    const last = this.#last;
    if (last?.indexes.length === indexes.length && last.indexes.every((index, i) => index === indexes[i])) {
      return last.values;
    }
    const values = new KnownValues(indexes);
    this.#last = { indexes, values };
    return values;
  }

  /**
   * Returns the index of each loaded list: of rules, of viewpoints, and of custom data.
   * @param excluded a datamodel or cube set whose rules are left out, since the caller has newer ones
   */
  readIndexes(catalog: LoadedCatalog, excluded?: RuleSubject): readonly ValueIndex[] {
    const { rules, viewpoints } = catalog.knownResources;
    return [
      ...rules
        .filter(({ subject }) => excluded === undefined || !isSameSubject(subject, excluded))
        .map((list) =>
          getOrCreate(this.#ruleIndexes, list.rules, (documents) => ValueIndex.fromRules(documents)),
        ),
      ...[viewpoints, catalog.knownCustomData].map((documents) =>
        getOrCreate(this.#documentIndexes, documents, (list) => ValueIndex.fromDocuments(list)),
      ),
    ];
  }
}

function getOrCreate(
  indexes: WeakMap<readonly unknown[], ValueIndex>,
  documents: readonly unknown[],
  create: (documents: readonly unknown[]) => ValueIndex,
): ValueIndex {
  const index = indexes.get(documents) ?? create(documents);
  indexes.set(documents, index);
  return index;
}
