import { type MarkdownSection, formatCode, formatSections } from './markdown.ts';
import { formatChange, formatParts, formatPlanCounts } from './planText.ts';
import type { PlanView } from './planView.ts';

/**
 * Formats a plan as Markdown that fits into a comment on a change. Who gains access and what breaks comes first and is
 * cut last; what is cut is counted.
 */
export function formatPlanMarkdown(view: PlanView): string {
  const { environment, instance, access, changes } = view;
  const head = [
    `### Plan for ${formatCode(environment)}`,
    '',
    `${formatCode(instance.url)} (${instance.role}). ${formatPlanCounts(view)}`,
    ...(changes.length === 0 ? [] : ['', formatCode(access.summary)]),
    '',
  ].join('\n');
  return formatSections(head, getSections(view), `\nPlan ${formatCode(view.hash.slice(0, 12))}\n`);
}

function getSections(view: PlanView): readonly MarkdownSection[] {
  const { access } = view;
  const getRows = (effect: string): readonly string[] =>
    access.rows.filter((row) => row.effect === effect).map(({ party, text }) => `${party}: ${text}`);
  const getChanges = (action: string): readonly string[] =>
    view.changes
      .filter((change) => change.action === action)
      .map((change) => [formatChange(change).slice(2), ...formatParts(change)].join('; '));
  return [
    { title: "Can't be applied", lines: view.problems.map(({ item, text }) => `${item}: ${text}`) },
    { title: "Can't be read", lines: view.unknown.map(({ what, problem }) => `${what}: ${problem}`) },
    { title: 'Gains access', lines: getRows('gains') },
    { title: 'Access changes', lines: getRows('changes') },
    { title: 'Will break', lines: view.breaks.map(({ item, text }) => `${item}: ${text}`) },
    {
      title: 'Changed on the server since the last pull',
      lines: view.changes.filter(({ changedOnServer }) => changedOnServer).map(({ item }) => item),
    },
    { title: 'Will be deleted', lines: getChanges('delete') },
    { title: 'Not checked', lines: access.unchecked },
    { title: 'Loses access', lines: getRows('loses') },
    { title: 'Will be changed', lines: getChanges('update') },
    { title: 'Will be created', lines: getChanges('create') },
    { title: 'Not in this apply', lines: view.deferred.map(({ item, text }) => `${item}: ${text}`) },
    {
      title: 'Next steps',
      lines: view.builds.map(({ datamodel, type }) =>
        type === 'publish' ? `Publish ${datamodel}` : `Build ${datamodel}`,
      ),
    },
    {
      title: 'Stays different',
      lines: view.notes.map(({ item, pointer, text }) => `${item}${pointer}: ${text}`),
    },
    {
      title: 'Only on the instance',
      lines: view.extras.map(({ item, column }) => (column === undefined ? item : `${item}/${column}`)),
    },
  ];
}
