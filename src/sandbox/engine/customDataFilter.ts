import { Context } from 'mingo/core';
import * as arrayOperators from 'mingo/operators/query/array';
import * as comparisonOperators from 'mingo/operators/query/comparison';
import * as elementOperators from 'mingo/operators/query/element';
import { $mod, $regex } from 'mingo/operators/query/evaluation';
import * as logicalOperators from 'mingo/operators/query/logical';
import { Query } from 'mingo/query';
import { encodeFilter, encodeNames } from './filterNames.ts';

/** The filter is invalid: a wrong operator, a broken pattern. */
export class FilterError extends Error {
  override readonly name = 'FilterError';
}

/**
 * The find-filters of a common document database (rest-api.md, "Custom data API"), without operators that run code or
 * need the whole expression language ($where, $expr, $jsonSchema).
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
 * Returns the indexes of the objects that a filter matches, all of them JSON texts. A pattern may run forever, so this
 * runs where it can be ended (see TaskProcesses).
 * @throws FilterError for anything but an object, and for filters that mingo rejects.
 */
export function findMatchingObjects(filter: string, objects: readonly string[]): readonly number[] {
  const parsed: unknown = JSON.parse(filter);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new FilterError('The filter must be a JSON object');
  }
  try {
    const query = new Query(encodeFilter(parsed as Record<string, never>), { context: queryContext });
    return objects.flatMap((text, at) =>
      query.test(encodeNames(JSON.parse(text)) as Record<string, unknown>) ? [at] : [],
    );
  } catch (error) {
    // mingo throws plain errors; whatever it rejects is caused by the filter.
    throw new FilterError(
      `The filter is not understood: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
