import { type Localize, translatable } from '../../base/localize.ts';
import { problemMessages, type ProblemReason, type ViewpointProblem } from './problem.ts';

/** The words that the linter uses as arguments of messages, besides those of the document and of the platform. */
const problemWords = translatable({
  any: 'any value',
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  datatype: 'data type',
  level: 'level',
  aggregation: 'aggregation',
  sortOrder: 'sort order',
  modelType: 'datamodel type',
  notDate: 'not a date in the datamodel',
});

const wordKeys = Object.keys(problemWords) as readonly (keyof typeof problemWords)[];

/** The positions of {@link problemWords} among the arguments of a problem, by its reason. */
const wordPositions: Partial<Readonly<Record<ProblemReason, readonly number[]>>> = {
  'not-a-viewpoint': [0],
  'wrong-type': [1, 2],
  'wrong-item': [1, 2],
  'unknown-word': [1],
  'default-date-type': [0],
  'level-needs-datetime': [0],
};

/** Formats a problem for the user. */
export const formatViewpointProblem = (
  t: Localize,
  { reason, args }: Pick<ViewpointProblem, 'reason' | 'args'>,
): string =>
  t(
    problemMessages[reason],
    ...args.map((arg, index) =>
      wordPositions[reason]?.includes(index) === true ? translateWord(t, arg) : arg,
    ),
  );

function translateWord(t: Localize, text: string): string {
  const key = wordKeys.find((candidate) => problemWords[candidate] === text);
  return key === undefined ? text : t(problemWords[key]);
}
