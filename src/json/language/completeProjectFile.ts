import type { DatamodelLookup } from '../../viewpoints/datamodelLookup.ts';
import type { JsonDocument } from '../text/parseJsonTree.ts';
import { createColumnProposals, createTableProposals, createValueProposal } from './columnProposals.ts';
import type { ProposalList } from './languageContext.ts';
import { locateOffset } from './jsonLocation.ts';

/** The names in the files of a project, which are proposed in another one of its files. */
interface ProjectFileContext {
  readonly model: DatamodelLookup;
  readonly datasets: readonly string[];
}

const noProposals: ProposalList = { items: [], isComplete: true };

/**
 * Returns the completions of names in a file of a project that is neither a rule nor a viewpoint: the columns of a
 * relation, the dataset of a table, and references such as `{"$ref": {"table": "Orders"}}`.
 */
export function getProjectFileCompletions(
  kind: 'datamodel' | 'dataset' | 'table' | 'relation',
  document: JsonDocument,
  offset: number,
  { model, datasets }: ProjectFileContext,
): ProposalList {
  const locatedDocument = locateOffset(document, offset);
  const { location } = locatedDocument;
  const { path = [], literal } = location ?? {};
  if (location === undefined || (literal !== undefined && typeof literal.value !== 'string')) {
    return noProposals;
  }
  const [key, parent] = path.toReversed();
  const isReference = parent === '$ref';
  const isRelationColumn = kind === 'relation' && path.length === 3 && path[0] === 'columns';
  if (key === 'dataset' && (isReference || (kind === 'table' && path.length === 1))) {
    return {
      items: datasets.map((name, rank) => createValueProposal(location, name, { kind: 'value', rank })),
      isComplete: true,
    };
  }
  if (!isReference && !isRelationColumn) {
    return noProposals;
  }
  if (key === 'table') {
    return createTableProposals(location, model);
  }
  return key === 'column'
    ? createColumnProposals(locatedDocument, location, model, offset, () => undefined)
    : noProposals;
}
