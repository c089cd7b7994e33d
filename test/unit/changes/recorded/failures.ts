import type { Failure, Scenario } from './recordScenario.ts';
import { operations } from './scenarios.ts';

/** Scenarios in which the response of a write of each kind is lost: the instance shows that it was carried out. */
export const lostResponses = Object.entries(operations).map(
  ([name, writes]): Scenario => ({ name, writes, failure: { at: 0, kind: 'answer' }, ending: 'none' }),
);

/**
 * The names of some operations of several writes, each with the indices of the write requests at which it fails in turn.
 * Requests that are like another one are left out.
 */
const operationsOfSeveralWrites = [
  ['create a datamodel with its contents', [0, 1, 3, 4]],
  ['change documents of several kinds', [0, 1, 2, 3, 4]],
  ['give a live rule to others', [0, 1, 2, 3]],
  ['replace many rules', [0, 1, 2]],
  ['change, delete, and create objects', [0, 1, 2, 3]],
  ['create a table and change it', [0, 1]],
  ['rename a column everywhere', [0, 1, 2]],
  ['change a table twice', [1]],
  ['change and delete a relation', [1]],
] as const;

const kinds: readonly Failure['kind'][] = ['request', 'refusal', 'out-of-order', 'killed', 'killed-before'];

/** Scenarios with a failure at each write request, with alternating kinds of failures and alternating endings. */
export const failures: readonly Scenario[] = operationsOfSeveralWrites.flatMap(([name, indices], position) =>
  indices.flatMap((at) =>
    [0, 1].map((turn): Scenario => {
      const kind = kinds[(position + at + turn * 3) % kinds.length] ?? 'request';
      const ending = (position + at + turn) % 2 === 0 ? 'resume' : 'rollBack';
      return {
        name: `${name}: ${kind} at ${at}, then ${ending}`,
        writes: operations[name] ?? (() => []),
        failure: { at, kind },
        ending,
      };
    }),
  ),
);
