import { Context } from 'mingo/core';
import * as arrayOperators from 'mingo/operators/query/array';
import * as comparisonOperators from 'mingo/operators/query/comparison';
import * as elementOperators from 'mingo/operators/query/element';
import { $mod, $regex } from 'mingo/operators/query/evaluation';
import * as logicalOperators from 'mingo/operators/query/logical';
import { Query } from 'mingo/query';
import { invalid } from './problem.ts';

/** Says whether a parsed object matches. */
export type Matches = (object: unknown) => boolean;

/**
 * The find-filters of a common document database (spec, "Custom data API"), without what runs code or needs the
 * whole expression language ($where, $expr, $jsonSchema).
 */
const context = Context.init().addQueryOps({
  ...arrayOperators,
  ...comparisonOperators,
  ...elementOperators,
  ...logicalOperators,
  $mod,
  $regex,
});

/**
 * Compiles a filter document. A match that the filter makes impossible (e.g. a broken `$regex`) also answers 400.
 * @throws HttpProblem 400 for anything but an object, and for an unknown operator.
 */
export function compileFilter(filter: unknown): Matches {
  if (typeof filter !== 'object' || filter === null || Array.isArray(filter)) {
    throw invalid('The filter must be a JSON object');
  }
  const query = refusing(() => new Query(filter as Record<string, never>, { context }));
  return (object) => refusing(() => query.test(object as Record<string, unknown>));
}

/** mingo throws plain errors; whatever it refuses is the filter's fault. */
function refusing<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw invalid(`The filter is not understood: ${error instanceof Error ? error.message : String(error)}`);
  }
}
