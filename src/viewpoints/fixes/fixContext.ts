import { type PathEdit, textEdits } from '../../json/text/pathEdit.ts';
import type { JsonDocument } from '../../json/text/parseJson.ts';
import type { ViewpointProblem } from '../lint/problem.ts';
import type { Model } from '../model.ts';
import type { Fix, FixReason } from './fix.ts';

/** What fixes are made from. */
export interface FixContext {
  readonly document: JsonDocument;
  readonly problem: ViewpointProblem;
  readonly model: Model;
}

export const keyOf = ({ path }: ViewpointProblem): string => String(path.at(-1) ?? '');

/** A fix as changes by path. */
export function fix(
  { document }: FixContext,
  reason: FixReason,
  args: readonly string[],
  edits: readonly PathEdit[],
  isPreferred = false,
): Fix {
  return { reason, args, isPreferred, edits: textEdits(document, edits) };
}
