import { namedExtent, wholeExtent } from '../features/engineWords.ts';
import type { JsonDocument } from '../../json/text/parseJson.ts';
import type { Extent } from '../syntax/tree.ts';
import type { JsonString } from './jsonString.ts';
import { expressionsIn, nameExtent } from './tableJson.ts';

/**
 * Where a table's document has what an engine complains of, in offsets of the document: the name that the message
 * gives, in the first expression that has it; else the table's own expression; else the table's name.
 */
export function failureExtent(document: JsonDocument, message: string): Extent | undefined {
  const expressions = expressionsIn(document, 'table');
  for (const { literal } of expressions) {
    const named = namedExtent(literal.text, message);
    if (named !== undefined) {
      return outer(literal, named);
    }
  }
  const own = expressions.find(({ kind }) => kind === 'table')?.literal;
  return own === undefined ? nameExtent(document) : outer(own, wholeExtent(own.text));
}

const outer = (literal: JsonString, { start, end }: Extent): Extent => ({
  start: literal.toOuter(start),
  end: literal.toOuter(end),
});
