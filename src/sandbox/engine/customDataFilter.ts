import { Context } from 'mingo/core';
import * as arrayOperators from 'mingo/operators/query/array';
import * as comparisonOperators from 'mingo/operators/query/comparison';
import * as elementOperators from 'mingo/operators/query/element';
import { $mod, $regex } from 'mingo/operators/query/evaluation';
import * as logicalOperators from 'mingo/operators/query/logical';
import { Query } from 'mingo/query';
import { escapeFilterNames, escapeNames } from './filterNames.ts';

/** An invalid filter, e.g. with an unknown operator or a malformed pattern. */
export class FilterError extends Error {
  override readonly name = 'FilterError';
}

/**
 * The operators of MongoDB-style filters (rest-api.md, "Custom data API"). Not those that run code, need other parts of
 * mingo ($where, $expr, $jsonSchema), or compare bits or places.
 */
const queryContext = Context.init().addQueryOps({
  ...arrayOperators,
  ...comparisonOperators,
  ...elementOperators,
  ...logicalOperators,
  $mod,
  $regex,
});

/**
 * Returns the indexes of the objects that match a filter; the filter and the objects are JSON texts. A pattern may take
 * very long to match, so this runs in a process that can be killed (see TaskProcesses).
 * @throws FilterError when the filter is not an object, or when mingo rejects it.
 */
export function findMatchingObjects(filter: string, objects: readonly string[]): readonly number[] {
  const filterObject: unknown = JSON.parse(filter);
  if (typeof filterObject !== 'object' || filterObject === null || Array.isArray(filterObject)) {
    throw new FilterError('The filter must be a JSON object');
  }
  try {
    const query = new Query(escapeFilterNames(filterObject as Record<string, never>), {
      context: queryContext,
    });
    return objects.flatMap((text, index) =>
      query.test(escapeNames(JSON.parse(text)) as Record<string, unknown>) ? [index] : [],
    );
  } catch (error) {
    // mingo throws plain errors, all of them caused by the filter.
    throw new FilterError(`Unsupported filter: ${error instanceof Error ? error.message : String(error)}`);
  }
}
