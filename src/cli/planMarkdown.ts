import { formatChange, formatParts, formatPlanSummary } from './planText.ts';
import type { PlanView } from './planView.ts';

/** The limit of a comment on GitHub is 65,536 characters. */
const maxLength = 65_000;

/** A list with a heading. What doesn't fit is counted. */
interface Section {
  readonly title: string;
  readonly lines: readonly string[];
}

/**
 * Formats a plan as Markdown that fits into a comment on a change. Who gains access and what breaks comes first and is
 * cut last; what is cut is counted.
 */
export function formatPlanMarkdown(view: PlanView): string {
  const { environment, instance } = view;
  const head = [
    `### Plan for ${escapeMarkdown(environment)}`,
    '',
    `${escapeMarkdown(instance.url)} (${instance.role}). ${escapeMarkdown(formatPlanSummary(view))}`,
    '',
  ].join('\n');
  const foot = `\nPlan \`${view.hash.slice(0, 12)}\`\n`;
  return `${head}${fitSections(getSections(view), maxLength - head.length - foot.length)}${foot}`;
}

function getSections(view: PlanView): readonly Section[] {
  const { access } = view;
  const getRows = (effect: string): readonly string[] =>
    access.rows.filter((row) => row.effect === effect).map(({ party, text }) => `${party}: ${text}`);
  const getChanges = (action: string): readonly string[] =>
    view.changes
      .filter((change) => change.action === action)
      .map((change) => [formatChange(change).slice(2), ...formatParts(change)].join('; '));
  const sections: readonly Section[] = [
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
    { title: 'After a build', lines: view.deferred.map(({ item, text }) => `${item}: ${text}`) },
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
  return sections.filter(({ lines }) => lines.length > 0);
}

/** Formats sections up to a length. Each keeps its heading with its count, and as many lines as fit. */
function fitSections(sections: readonly Section[], length: number): string {
  const formatHeading = ({ title, lines }: Section): string => `\n#### ${title} (${lines.length})\n\n`;
  const moreLength = '- … and 1000000 more\n'.length;
  const reserved = sections.reduce((sum, section) => sum + formatHeading(section).length + moreLength, 0);
  let remaining = length - reserved;
  return sections
    .map((section) => {
      const lines: string[] = [];
      for (const text of section.lines) {
        const line = `- ${escapeMarkdown(text)}\n`;
        if (line.length > remaining) {
          break;
        }
        remaining -= line.length;
        lines.push(line);
      }
      const cutCount = section.lines.length - lines.length;
      return `${formatHeading(section)}${lines.join('')}${cutCount === 0 ? '' : `- … and ${cutCount} more\n`}`;
    })
    .join('');
}

/** Escapes a text of a server: nothing in it is markup, a link, or a mention. */
export const escapeMarkdown = (text: string): string =>
  text
    .replaceAll(/[\r\n]+/g, ' ')
    .replaceAll(/[\\`*_{}[\]()#+!|~]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('@', '&#64;');
