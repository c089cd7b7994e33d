import { type PathEdit, createPathTextEdits } from '../../json/text/pathEdit.ts';
import type { JsonDocument } from '../../json/text/parseJsonTree.ts';
import type { ViewpointProblem } from '../lint/problem.ts';
import type { DatamodelLookup } from '../datamodelLookup.ts';
import type { ViewpointFix, ViewpointFixCode } from './viewpointFix.ts';

/** The input for creating fixes. */
export interface ViewpointFixContext {
  readonly document: JsonDocument;
  readonly problem: ViewpointProblem;
  readonly datamodel: DatamodelLookup;
}

export const getPropertyKey = ({ path }: ViewpointProblem): string => String(path.at(-1) ?? '');

/** Creates a fix, and converts its path edits to text edits of the document. */
export function createFix(
  { document }: ViewpointFixContext,
  reason: ViewpointFixCode,
  args: readonly string[],
  edits: readonly PathEdit[],
  isPreferred = false,
): ViewpointFix {
  return { code: reason, args, isPreferred, edits: createPathTextEdits(document, edits) };
}
