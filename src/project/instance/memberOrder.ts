import { type JsonObject, pickMembers } from '../../base/json.ts';
import { compareTexts } from '../../base/sortByText.ts';

/** Members that come first in files, in this order. */
const firstMembers: readonly string[] = [
  'title',
  'name',
  'id',
  'type',
  'description',
  'relationType',
  'buildBehavior',
  'configOptions',
  'size',
  'precision',
  'scale',
  'hidden',
  'isMaterialized',
  'indexed',
  'isUpsertBy',
  'isCustom',
  'database',
  'schemaName',
];

const ranks: ReadonlyMap<string, number> = new Map(firstMembers.map((name, index) => [name, index]));

const getRank = (name: string): number => ranks.get(name) ?? firstMembers.length;

/**
 * Orders the members of objects in the same way for every instance: servers return them in any order, and files of the
 * same state must be the same. Many objects have the same members, so their order is computed once.
 */
export class MemberOrder {
  readonly #orders = new Map<string, readonly string[]>();

  orderMembers(object: JsonObject): JsonObject {
    const names = Object.keys(object);
    const id = JSON.stringify(names);
    let order = this.#orders.get(id);
    if (order === undefined) {
      order = names.toSorted((a, b) => getRank(a) - getRank(b) || compareTexts(a, b));
      this.#orders.set(id, order);
    }
    return pickMembers(object, order);
  }
}
